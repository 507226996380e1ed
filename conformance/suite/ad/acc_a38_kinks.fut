-- A38 (digest 001): the derivatives at kinks that docs/guide.md and core/src/prim/mod.rs state: the first of equal operands has all, |x| at
-- 0 has 0, sqrt at 0 an infinite one, rounding 0. Nothing is a parameter here: at a kink there is no numerical derivative.
-- ==
-- input { } output { 0.0 0.0 f64.inf 0.0 1.0 0.0 1.0 0.0 0.0 }
entry main: (f64, f64, f64, f64, f64, f64, f64, f64, f64) =
  let (a, b) = vjp (\(x, y) -> f64.max x y) (2, 2) 1
  let (c, d) = vjp (\(x, y) -> f64.min x y) (2, 2) 1
  in (vjp f64.abs 0 1, jvp f64.abs 0 1, vjp f64.sqrt 0 1, vjp f64.sqrt 0 0, a, b, c, d, vjp f64.round 0.5 1)

-- Of the largest of an array too, in both modes, and one after the other.
-- ==
-- entry: arrays
-- input { } output { [0.0, 1.0, 0.0] [0.0, 1.0, 0.0] 20.0 20.0 }
entry arrays: ([3]f64, [3]f64, f64, f64) =
  let xs: [3]f64 = [1, 2, 2]
  let xs' = [10, 20, 30]
  in ( vjp f64.maximum xs 1, vjp (\xs -> loop m = xs[0] for x in xs do f64.max m x) xs 1
     , jvp f64.maximum xs xs', jvp (\xs -> loop m = xs[0] for x in xs do f64.max m x) xs xs')
