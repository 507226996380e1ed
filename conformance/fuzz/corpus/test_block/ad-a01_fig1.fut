-- A1, A2 (digest 002, Fig. 1): f(x0, x1) = (x1 sin x0, x0 x1) has the Jacobian [[x1 cos x0, sin x0], [x1, x0]]; at (0.5, 2)
-- [[1.7551651237807455, 0.479425538604203], [2, 0.5]]. `jvp` gives its columns, `vjp` its rows.
def f (x0: f64, x1: f64): (f64, f64) = (x1 * f64.sin x0, x0 * x1)

-- ==
-- entry: columns
-- input { 0.5 2.0 }
-- output { 1.7551651237807455 2.0 0.479425538604203 0.5 }
entry columns (x0: f64) (x1: f64): (f64, f64, f64, f64) =
  let (a, b) = jvp f (x0, x1) (1.0, 0.0)
  let (c, d) = jvp f (x0, x1) (0.0, 1.0)
  in (a, b, c, d)

-- ==
-- entry: rows
-- input { 0.5 2.0 }
-- output { 1.7551651237807455 0.479425538604203 2.0 0.5 }
entry rows (x0: f64) (x1: f64): (f64, f64, f64, f64) =
  let (a, b) = vjp f (x0, x1) (1.0, 0.0)
  let (c, d) = vjp f (x0, x1) (0.0, 1.0)
  in (a, b, c, d)
