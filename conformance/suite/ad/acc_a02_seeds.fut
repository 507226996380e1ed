-- A1, A2, A4 (digest 001, 1.1): its small examples. Expected: the digest, and by hand.

-- x^2 + 7 x y^3 at (2, 3): (193, 378).
-- ==
-- entry: gradient
-- input { 2.0 3.0 } output { 193.0 378.0 }
entry gradient (x: f64) (y: f64): (f64, f64) = vjp (\(x, y) -> x * x + 7 * x * y * y * y) (x, y) 1

-- (x + y, x y) has the Jacobian [[1, 1], [y, x]]: with the seed (a, b) it is (a + b y, a + b x) backward, (a + b, a y + b x) forward:
-- linear in the seed.
-- ==
-- entry: linear
-- input { 2.0 3.0 1.0 0.0 } output { 1.0 1.0 1.0 3.0 }
-- input { 2.0 3.0 0.0 1.0 } output { 3.0 2.0 1.0 2.0 }
-- input { 2.0 3.0 5.0 7.0 } output { 26.0 19.0 12.0 29.0 }
-- input { 2.0 3.0 0.0 0.0 } output { 0.0 0.0 0.0 0.0 }
entry linear (x: f64) (y: f64) (a: f64) (b: f64): (f64, f64, f64, f64) =
  let g (x: f64, y: f64) = (x + y, x * y)
  let (c, d) = vjp g (x, y) (a, b)
  let (e, f) = jvp g (x, y) (a, b)
  in (c, d, e, f)

-- What is returned twice has the sum of both adjoints.
-- ==
-- entry: duplicated
-- input { 2.0 3.0 1.0 10.0 100.0 } output { 1.0 110.0 }
entry duplicated (x: f64) (y: f64) (a: f64) (b: f64) (c: f64): (f64, f64) = vjp (\(x, y) -> (x, y, y)) (x, y) (a, b, c)

-- A4: x y - y + log y x at (2, 3): 6 - 3 + 2 log 3; y + log y and x - 1 + x / y.
-- ==
-- entry: fanout
-- input { 2.0 3.0 } output { 5.1972246 4.0986123 1.6666667 }
entry fanout (x: f64) (y: f64): (f64, f64, f64) =
  let (v, (a, b)) = vjp2 (\(x, y) -> x * y - y + f64.log y * x) (x, y) 1
  in (v, a, b)

-- A1: an adjoint has the type and shape of its value, of integers that choose and of an array without elements too.
-- ==
-- entry: types
-- input { [1.0, 2.0] [1i64, 1i64] empty([0]f32) } output { [0.0, 2.0] [0i64, 0i64] empty([0]f32) }
entry types [n] [m] (xs: [n]f64) (is: [n]i64) (zs: [m]f32): ([n]f64, [n]i64, [m]f32) =
  vjp (\(xs: [n]f64, is: [n]i64, zs: [m]f32) -> f64.sum (map (\i -> xs[i]) is) + f64.f32 (f32.sum zs)) (xs, is, zs) 1
