-- R9 (digest 002, 6.2): a while loop with a bound. The digest's: from 1.1, x := x^2 while x < 100 has 6 iterations, 1.1^64 =
-- 445.79156845259257, its derivative 64 * 1.1^63 = 25936.963982696292 (by Python). No iteration from 200: 200 and 1. The bound may be just
-- the number of iterations.
-- ==
-- entry: loose exact
-- input { 1.1 }   output { 445.79156845259257 25936.963982696292 }
-- input { 200.0 } output { 200.0 1.0 }
entry loose (x: f64): (f64, f64) = vjp2 (\x -> #[bound(10)] loop x while x < 100 do x * x) x 1

entry exact (x: f64): (f64, f64) = vjp2 (\x -> #[bound(6)] loop x while x < 100 do x * x) x 1

-- The function alone, for the harness to differentiate.
-- ==
-- entry: primal
-- input { 1.1 } output { 445.79156845259257 }
entry primal (x: f64): f64 = #[bound(10)] loop x while x < 100 do x * x

-- In a map each element has its own number of iterations: 3, 0 and 1 until 8 is reached by doubling [1, 9, 5], and a free variable in place
-- of 2: a^3 + 9 + 5 a by a is 3 a^2 + 5 = 17, by the elements a^3, 1, a.
-- ==
-- entry: in_map
-- input { [1.0, 9.0, 5.0] 2.0 } output { [8.0, 9.0, 10.0] [8.0, 1.0, 2.0] 17.0 }
entry in_map [n] (xs: [n]f64) (a: f64): ([n]f64, [n]f64, f64) =
  let (ys, (xs', a')) = vjp2 (\(xs, a) -> map (\x -> #[bound(5)] loop x while x < 8 do a * x) xs) (xs, a) (replicate n 1)
  in (ys, xs', a')

-- Its state is an array: the elements doubled, and a counter that the condition asks as well.
-- ==
-- entry: of_array
-- input { [1.0, 3.0] } output { [4.0, 12.0] [4.0, 40.0] }
-- input { empty([0]f64) } output { empty([0]f64) empty([0]f64) }
entry of_array [n] (xs: [n]f64): ([n]f64, [n]f64) =
  vjp2 (\xs -> (#[bound(4)] loop (xs, k) = (xs, 0i64) while k < 2 && f64.sum xs < 100 do (map (* 2) xs, k + 1)).0) xs
       (tabulate n (\i -> 10 ** f64.i64 i))

-- Second derivative: x^8 from 1.5 while x < 20 (1.5, 2.25, 5.0625, 25.62890625): 56 x^6 = 56 * 11.390625 = 637.875.
-- ==
-- entry: second
-- input { 1.5 } output { 637.875 637.875 637.875 }
entry second (x: f64): (f64, f64, f64) =
  let f x = #[bound(4)] loop x while x < 20 do x * x
  in (vjp (\x -> vjp f x 1) x 1, jvp (\x -> vjp f x 1) x 1, vjp (\x -> jvp f x 1) x 1)
