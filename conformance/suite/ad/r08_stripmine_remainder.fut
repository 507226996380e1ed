-- R8 (digest 002, 4.3): numbers of iterations that are no power, and none at all. After n iterations x := x / (1 + x) is x0 / (1 + n x0),
-- and s the sum of i x_i. At x0 = 1: 1 / (1 + n), by x0 1 / (1 + n)^2; the sums of i / (1 + i) and of i / (1 + i)^2 for i < n by fractions
-- in Python.
-- ==
-- entry: by_2 by_3
-- input { 37i64 1.0 } output { 0.02631578947368421 32.798413776178336 0.0006925207756232687 2.583317243786278 }
-- input { 64i64 1.0 } output { 0.015384615384615385 59.25610909629423 0.00023668639053254438 3.1144604022968814 }
-- input { 5i64 1.0 } output { 0.16666666666666666 2.716666666666667 0.027777777777777776 0.8197222222222222 }
-- input { 1i64 1.0 } output { 0.5 0.0 0.25 0.0 }
-- input { 0i64 1.0 } output { 1.0 0.0 1.0 0.0 }
-- input { -3i64 1.0 } output { 1.0 0.0 1.0 0.0 }
def f (l: f64 -> (f64, f64)) (x: f64): (f64, f64, f64, f64) = let (y, s) = l x in (y, s, vjp l x (1, 0), vjp l x (0, 1))

def step (x: f64) (s: f64) (i: i64) = (x / (1 + x), s + f64.i64 i * x)

entry by_2 (n: i64) (x: f64) = f (\x -> #[stripmine(2)] loop (x, s) = (x, 0) for i < n do step x s i) x

entry by_3 (n: i64) (x: f64) = f (\x -> #[stripmine(3)] loop (x, s) = (x, 0) for i < n do step x s i) x

-- The length of an array is no power either: y := y x + 1 over seven ones counts them; the derivative by the element
-- at i is the value y = i before it, as all factors after it are 1.
-- ==
-- entry: horner
-- input { [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0] } output { 7.0 [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0] }
entry horner [n] (xs: [n]f64): (f64, [n]f64) = vjp2 (\xs -> #[stripmine(2)] loop y = 0 for x in xs do y * x + 1) xs 1
