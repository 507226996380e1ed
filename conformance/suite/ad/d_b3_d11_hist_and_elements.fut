-- B3, D11 (digest 000, tables 5.B, 5.D): the elements are a result as well: their adjoint from the histogram is added to that from there.
-- Expected are D8's literal vectors (ties: bin 0 gives 1 to the first element, the destination has the rest) and D1's, each plus the seed
-- of the elements. The arguments of the maximum are integers: at a kink there is no numerical derivative.

-- ==
-- entry: maximum
-- input { [0i64, 0i64, 1i64, 1i64, 2i64, 0i64, -1i64, 2i64] [1i64, 7i64, 9i64, 5i64] [3i64, 3i64, 7i64, 7i64, 4i64, 2i64, 99i64, 9i64]
--   [1.0, 10.0, 100.0, 1000.0] [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0] }
-- output { [0.0, 10.0, 100.0, 1000.0] [2.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0] }
entry maximum [w] [n] (is: [n]i64) (dst: [w]i64) (vs: [n]i64) (seed: [w]f64) (seed_vs: [n]f64): ([w]f64, [n]f64) =
  vjp (\(d, v) -> (reduce_by_index (copy d) f64.max f64.lowest is v, v)) (map f64.i64 dst, map f64.i64 vs) (seed, seed_vs)

-- ==
-- entry: sum
-- input { [2i64, 0i64, -1i64, 2i64, 5i64, 0i64, 3i64, 2i64, 4i64] [1.0, 2.0, 3.0, 4.0]
--   [10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0] [1.0, 10.0, 100.0, 1000.0] [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0] }
-- output { [1.0, 10.0, 100.0, 1000.0] [101.0, 3.0, 3.0, 104.0, 5.0, 7.0, 1007.0, 108.0, 9.0] }
entry sum [w] [n] (is: [n]i64) (dst: [w]f64) (vs: [n]f64) (seed: [w]f64) (seed_vs: [n]f64): ([w]f64, [n]f64) =
  vjp (\(d, v) -> (reduce_by_index (copy d) (+) 0.0 is v, v)) (dst, vs) (seed, seed_vs)

-- Beside their products the squares of the elements: D2's literal vectors plus 2 v.
-- ==
-- entry: product
-- input { [2i64, 0i64, -1i64, 2i64, 5i64, 0i64, 3i64, 2i64, 4i64] [2.0, 3.0, 5.0, 0.0] [2.0, 3.0, 9.0, 4.0, 9.0, 7.0, 6.0, 5.0, 9.0]
--   [1.0, 10.0, 100.0, 1000.0] [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0] }
-- output { [21.0, 10.0, 4000.0, 6000.0] [10004.0, 20.0, 18.0, 5008.0, 18.0, 20.0, 12.0, 4010.0, 18.0] }
entry product [w] [n] (is: [n]i64) (dst: [w]f64) (vs: [n]f64) (seed: [w]f64) (seed_vs: [n]f64): ([w]f64, [n]f64) =
  vjp (\(d, v) -> (reduce_by_index (copy d) (*) 1.0 is v, map (\x -> x * x) v)) (dst, vs) (seed, seed_vs)
