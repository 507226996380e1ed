-- Ties (futhark-compat.md §2.2): of equal operands the first one is chosen, and gets the whole derivative, once. (Without arguments where they tie: at a
-- kink there is no numerical derivative.)
-- ==
-- entry: tied
-- input { } output { 1.0 0.0 1.0 0.0 5.0 6.0 }
entry tied: (f64, f64, f64, f64, f64, f64) =
  let (a, b) = vjp (\(x, y) -> f64.max x y) (2.0, 2.0) 1.0
  let (c, d) = vjp (\(x, y) -> f64.min x y) (2.0, 2.0) 1.0
  let forward = jvp (\(x, y) -> (f64.max x y, f64.max y x)) (2.0, 2.0) (5.0, 6.0)
  in (a, b, c, d, forward.0, forward.1)

-- ==
-- entry: apart
-- input { 2.0 3.0 } output { 0.0 1.0 1.0 0.0 }
-- input { 3.0 2.0 } output { 1.0 0.0 0.0 1.0 }
entry apart (x: f64) (y: f64): (f64, f64, f64, f64) =
  let (a, b) = vjp (\(x, y) -> f64.max x y) (x, y) 1.0
  let (c, d) = vjp (\(x, y) -> f64.min x y) (x, y) 1.0
  in (a, b, c, d)
