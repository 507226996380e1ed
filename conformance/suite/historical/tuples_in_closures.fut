-- Differentiation through tuples inside closures (futhark-compat.md §2.2): functions made by functions, with the differentiated variables in what they
-- close over. The squared distance of p to a circle's centre c, minus r^2, and the larger of two such values:
-- at p = (4, 1), circles ((0, 0), 1) and ((1, 2), 3): 16 + 1 - 1 = 16, 9 + 1 - 9 = 1. The maximum is the first, with the gradient 2 (p - c) = (8, 2).
-- By the first centre: (-8, -2), by its radius -2. The smaller one, the second: 2 (p - c) = (6, -2), nothing for the first circle.
def circle (c: (f64, f64), r: f64): (f64, f64) -> f64 =
  \(x, y) -> (x - c.0) * (x - c.0) + (y - c.1) * (y - c.1) - r * r

def both (op: f64 -> f64 -> f64) (f: (f64, f64) -> f64) (g: (f64, f64) -> f64): (f64, f64) -> f64 = \p -> op (f p) (g p)

-- ==
-- entry: by_point
-- input { 4.0 1.0 } output { 8.0 2.0 6.0 -2.0 }
entry by_point (x: f64) (y: f64): (f64, f64, f64, f64) =
  let (a, b) = vjp (both f64.max (circle ((0.0, 0.0), 1.0)) (circle ((1.0, 2.0), 3.0))) (x, y) 1.0
  let (c, d) = vjp (both f64.min (circle ((0.0, 0.0), 1.0)) (circle ((1.0, 2.0), 3.0))) (x, y) 1.0
  in (a, b, c, d)

-- ==
-- entry: by_circle
-- input { 4.0 1.0 } output { -8.0 -2.0 -2.0 0.0 0.0 0.0 }
entry by_circle (x: f64) (y: f64): (f64, f64, f64, f64, f64, f64) =
  let second = circle ((1.0, 2.0), 3.0)
  let ((a, b), r) = vjp (\c -> both f64.max (circle c) second (x, y)) ((0.0, 0.0), 1.0) 1.0
  let ((c, d), s) = vjp (\c -> both f64.min (circle c) second (x, y)) ((0.0, 0.0), 1.0) 1.0
  in (a, b, r, c, d, s)
