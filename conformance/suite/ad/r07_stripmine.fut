-- R7 (digest 002, 4.3): a loop that is strip-mined has the derivative that it has without. Expected: closed forms, the sums of fractions by
-- Python.

-- x := x / (1 + a x) adds a to 1/x, so that x is x0 / (1 + i a x0) after i iterations, and the sum s of i x is a sum of fractions that
-- tells the iterations apart. At x0 = a = 1 and 64 iterations: x = 1/65, its derivatives are 1/65^2 and -64/65^2; s = 64 - H, where H = 1 +
-- 1/2 + .. + 1/64, its derivative by x0 is the sum of i / (1 + i)^2, and by a minus the sum of i^2 / (1 + i)^2.
-- ==
-- entry: plain by_1 by_2 by_3 by_6 by_9
-- input { 64i64 1.0 1.0 }
-- output { 0.015384615384615385 59.25610909629423 [0.00023668639053254438, 3.1144604022968814] [-0.01514792899408284, -56.14164869399735] }
def f (l: f64 -> f64 -> (f64, f64)) (x: f64) (a: f64): (f64, f64, [2]f64, [2]f64) =
  let g (x, a) = l x a
  let (x1, a1) = vjp g (x, a) (1, 0)
  let (x2, a2) = vjp g (x, a) (0, 1)
  let (y, s) = l x a
  in (y, s, [x1, x2], [a1, a2])

def step (a: f64) (x: f64) (s: f64) (i: i64) = (x / (1 + a * x), s + f64.i64 i * x)

entry plain (n: i64) (x: f64) (a: f64) = f (\x a -> loop (x, s) = (x, 0) for i < n do step a x s i) x a

entry by_1 (n: i64) (x: f64) (a: f64) = f (\x a -> #[stripmine(1)] loop (x, s) = (x, 0) for i < n do step a x s i) x a

entry by_2 (n: i64) (x: f64) (a: f64) = f (\x a -> #[stripmine(2)] loop (x, s) = (x, 0) for i < n do step a x s i) x a

entry by_3 (n: i64) (x: f64) (a: f64) = f (\x a -> #[stripmine(3)] loop (x, s) = (x, 0) for i < n do step a x s i) x a

entry by_6 (n: i64) (x: f64) (a: f64) = f (\x a -> #[stripmine(6)] loop (x, s) = (x, 0) for i < n do step a x s i) x a

-- Deeper than 64 = 2^6 can be split.
entry by_9 (n: i64) (x: f64) (a: f64) = f (\x a -> #[stripmine(9)] loop (x, s) = (x, 0) for i < n do step a x s i) x a

-- Over the elements of an array. s := s x + x from 0 over [2, 3, 4, 5]: s = 5 + 5 4 + 5 4 3 + 5 4 3 2 = 205. With the values 2, 9, 40 of s
-- before the elements 3, 4, 5, the derivatives are (0 + 1) 60, (2 + 1) 20, (9 + 1) 5, 40 + 1.
-- ==
-- entry: elements
-- input { [2.0, 3.0, 4.0, 5.0] } output { 205.0 [60.0, 60.0, 50.0, 41.0] }
-- input { empty([0]f64) } output { 0.0 empty([0]f64) }
entry elements [n] (xs: [n]f64): (f64, [n]f64) = vjp2 (\xs -> #[stripmine(2)] loop s = 0 for x in xs do s * x + x) xs 1

-- The state is an array: xs[i + 1] := xs[i] xs[i + 1], the product of all at last: of [2, 3, 4, 5] 120. In place, and as a new array.
-- ==
-- entry: in_place anew
-- input { [2.0, 3.0, 4.0, 5.0] } output { 120.0 [60.0, 40.0, 30.0, 24.0] }
entry in_place [n] (xs: [n]f64): (f64, [n]f64) =
  vjp2 (\xs -> last (#[stripmine(2)] loop xs = copy xs for i < n - 1 do xs with [i + 1] = xs[i] * xs[i + 1])) xs 1

entry anew [n] (xs: [n]f64): (f64, [n]f64) =
  vjp2 (\xs -> last (#[stripmine(2)] loop xs for i < n - 1 do map2 (\x j -> if j == i + 1 then xs[i] * x else x) xs (iota n))) xs 1

-- A strip-mined loop in a strip-mined loop, in a map: x := x^2 a, 4 times: x^16 a^15. At a = 1 the derivative by a is the sum of 15 x^16 /
-- a, x^16 being 1 for x = 1 and x = -1.
-- ==
-- entry: nested
-- input { [1.0, -1.0] 1.0 } output { [16.0, -16.0] 30.0 }
entry nested [n] (xs: [n]f64) (a: f64): ([n]f64, f64) =
  vjp (\(xs, a) -> f64.sum (map (\x -> #[stripmine(2)] loop x for _i < 2 do #[stripmine(2)] loop x for _j < 2 do x * x * a) xs)) (xs, a) 1

-- Its second derivative: (x / (1 + n x))'' = -2 n / (1 + n x)^3; with n = 4, x = 1 it is -8/125.
-- ==
-- entry: second_reverse second_forward second_both
-- input { 1.0 } output { -0.064 }
def mined (x: f64) = #[stripmine(2)] loop x for _i < 4 do x / (1 + x)

entry second_reverse (x: f64): f64 = vjp (\x -> vjp mined x 1) x 1

entry second_forward (x: f64): f64 = jvp (\x -> vjp mined x 1) x 1

entry second_both (x: f64): f64 = vjp (\x -> jvp mined x 1) x 1
