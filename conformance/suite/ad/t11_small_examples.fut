-- T11, T13, T14, T19, T20 (digest 003). Expected: T11 the paper's worked example (Eq. 10-13), the others by hand.

-- T11: x1 + x1 x2 at (5, 3) is 20, its gradient (4, 5).
-- ==
-- entry: example
-- input { 5.0 3.0 } output { 20.0 4.0 5.0 }
entry example (x1: f64) (x2: f64): (f64, f64, f64) =
  let (y, (a, b)) = vjp2 (\(x1, x2) -> x1 + x1 * x2) (x1, x2) 1
  in (y, a, b)

-- T13: what a mapped function captures: by a the sum of b times the adjoint.
-- ==
-- entry: captured
-- input { 2.0 [3.0, 4.0] [1.0, 10.0] } output { 43.0 [2.0, 20.0] }
entry captured [n] (a: f64) (bs: [n]f64) (adj: [n]f64): (f64, [n]f64) = vjp (\(a, bs) -> map (\b -> a * b) bs) (a, bs) adj

-- T14: a fold's start has the adjoint of the result, with +; with the product that times the elements.
-- ==
-- entry: fold_start
-- input { 2.0 [3.0, 4.0] 10.0 } output { 10.0 [10.0, 10.0] 120.0 [80.0, 60.0] }
-- input { 2.0 empty([0]f64) 10.0 } output { 10.0 empty([0]f64) 10.0 empty([0]f64) }
entry fold_start [n] (z: f64) (xs: [n]f64) (adj: f64): (f64, [n]f64, f64, [n]f64) =
  let (a, b) = vjp (\(z, xs) -> foldl (+) z xs) (z, xs) adj
  let (c, d) = vjp (\(z, xs) -> foldl (*) z xs) (z, xs) adj
  in (a, b, c, d)

-- T19: x^2 is dead. T20: an input that nothing uses has the adjoint 0, of its type.
-- ==
-- entry: unused
-- input { 3.0 [1.0, 2.0] 4.0f32 } output { 1.0 [0.0, 0.0] 0.0f32 }
entry unused [n] (x: f64) (xs: [n]f64) (z: f32): (f64, [n]f64, f32) =
  vjp (\(x, _xs, _z) -> let _y = x * x in x + 1) (x, xs, z) 1
