-- D13 (digest 000, table 5.D): the destination is used before the histogram, whose return sweep comes after that: it needs what was there.
-- Expected are the literal vectors of D1, D3, D8 (of integers, as it has ties), D5; the destination's plus 2 dst seed.
def f [w] [n] (op: f64 -> f64 -> f64) (ne: f64) (is: [n]i64) (dst: [w]f64, vs: [n]f64): [w]f64 =
  let a = map (\x -> x * x) dst
  let b = reduce_by_index (copy dst) op ne is vs
  in map2 (+) a b

-- ==
-- entry: sum
-- input { [2i64, 0i64, -1i64, 2i64, 5i64, 0i64, 3i64, 2i64, 4i64] [1.0, 2.0, 3.0, 4.0]
--   [10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0] [1.0, 10.0, 100.0, 1000.0] }
-- output { [3.0, 50.0, 700.0, 9000.0] [100.0, 1.0, 0.0, 100.0, 0.0, 1.0, 1000.0, 100.0, 0.0] }
entry sum [w] [n] (is: [n]i64) (dst: [w]f64) (vs: [n]f64) (seed: [w]f64): ([w]f64, [n]f64) =
  vjp (f (+) 0.0 is) (dst, vs) seed

-- ==
-- entry: product
-- input { [2i64, 0i64, -1i64, 2i64, 5i64, 0i64, 3i64, 2i64, 4i64] [2.0, 3.0, 5.0, 7.0] [2.0, 3.0, 9.0, 0.0, 9.0, 7.0, 6.0, 5.0, 9.0]
--   [1.0, 10.0, 100.0, 1000.0] }
-- output { [25.0, 70.0, 1000.0, 20000.0] [0.0, 14.0, 0.0, 5000.0, 0.0, 6.0, 7000.0, 0.0, 0.0] }
entry product [w] [n] (is: [n]i64) (dst: [w]f64) (vs: [n]f64) (seed: [w]f64): ([w]f64, [n]f64) =
  vjp (f (*) 1.0 is) (dst, vs) seed

-- ==
-- entry: maximum
-- input { [0i64, 0i64, 1i64, 1i64, 2i64, 0i64, -1i64, 2i64] [1i64, 7i64, 9i64, 5i64] [3i64, 3i64, 7i64, 7i64, 4i64, 2i64, 99i64, 9i64]
--   [1.0, 10.0, 100.0, 1000.0] }
-- output { [2.0, 150.0, 1900.0, 11000.0] [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0] }
entry maximum [w] [n] (is: [n]i64) (dst: [w]i64) (vs: [n]i64) (seed: [w]f64): ([w]f64, [n]f64) =
  vjp (f f64.max f64.lowest is) (map f64.i64 dst, map f64.i64 vs) seed

-- ==
-- entry: general
-- input { [2i64, 0i64, -1i64, 2i64, 5i64, 0i64, 3i64, 2i64, 4i64] [1.0, 2.0, 3.0, 4.0] [1.0, 2.0, 9.0, 3.0, 9.0, 4.0, 5.0, 6.0, 9.0]
--   [1.0, 10.0, 100.0, 1000.0] }
-- output { [34.0, 50.0, 15000.0, 18000.0] [43200.0, 16.0, 0.0, 14400.0, 0.0, 8.0, 8000.0, 7200.0, 0.0] }
entry general [w] [n] (is: [n]i64) (dst: [w]f64) (vs: [n]f64) (seed: [w]f64): ([w]f64, [n]f64) =
  vjp (f (\x y -> x * y * 2.0) 0.5 is) (dst, vs) seed

-- Consumed is an array made from the destination: its square. By hand with D3's data: the product of the elements of each bin (21, 1, 0,
-- 6), times the seed and 2 dst; by the elements 4 * 7 and 4 * 3 in bin 0, 25 * 2 * 5 * 100 for the zero in bin 2, 49 * 1000 in bin 3.
-- ==
-- entry: squared
-- input { [2i64, 0i64, -1i64, 2i64, 5i64, 0i64, 3i64, 2i64, 4i64] [2.0, 3.0, 5.0, 7.0] [2.0, 3.0, 9.0, 0.0, 9.0, 7.0, 6.0, 5.0, 9.0]
--   [1.0, 10.0, 100.0, 1000.0] }
-- output { [84.0, 60.0, 0.0, 84000.0] [0.0, 28.0, 0.0, 25000.0, 0.0, 12.0, 49000.0, 0.0, 0.0] }
entry squared [w] [n] (is: [n]i64) (dst: [w]f64) (vs: [n]f64) (seed: [w]f64): ([w]f64, [n]f64) =
  vjp (\(d, v) -> reduce_by_index (map (\x -> x * x) d) (*) 1.0 is v) (dst, vs) seed
