-- D17, D18, D19 (digest 000, table 5.D): the rule for any operator sorts the values by their bins. What a sort would get wrong shows in the
-- adjoints. How many passes it takes, 3, 5, 8 for 25, 1023, 16,384 bins, two bits each and none for bits that no index has, is counted in
-- core/tests/ad_costs.rs (general_histograms_cost_a_constant_beside_the_passes_of_the_sort, bins_that_nothing_goes_to_cost_nothing).
def larger (x: f64) (y: f64) : f64 = if x >= y then x else y

def times (x: f64) (y: f64) : f64 = -(-x * y)

-- D17, stable: of equal values in a bin the first gets the adjoint, wherever the others stand. The indices are those of table 5.D: bin 2
-- has 7 at 0, 3 and 7, bin 0 has 5 at 1 and 5, bin 3 has 1 at 6, bin 1 nothing; -1, 4 and 5 are out of range. The values are integers: at a
-- kink there is no numerical derivative.
-- ==
-- entry: ties
-- input { [2i64, 0i64, -1i64, 2i64, 5i64, 0i64, 3i64, 2i64, 4i64] [0i64, 0i64, 0i64, 0i64]
--   [7i64, 5i64, 99i64, 7i64, 99i64, 5i64, 1i64, 7i64, 99i64] [1.0, 10.0, 100.0, 1000.0] }
-- output { [0.0, 10.0, 0.0, 0.0] [100.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1000.0, 0.0, 0.0] }
entry ties [w] [n]
           (is: [n]i64)
           (dst: [w]i64)
           (vs: [n]i64)
           (seed: [w]f64) : ([w]f64, [n]f64) =
  let f (dst, vs) = reduce_by_index (copy dst) larger f64.lowest is vs
  in vjp f (map f64.i64 dst, map f64.i64 vs) seed

-- The same of n equal values in w bins, among them indices -1 and w: how many values that are not the first of a bin have another adjoint
-- than 0, or that are have another than the bin's, which is its number and 1.
-- ==
-- entry: wrong
-- input { 1i64 5i64 } output { 0i64 }
-- input { 31i64 200i64 } output { 0i64 }
-- input { 1023i64 3000i64 } output { 0i64 }
-- input { 1024i64 500i64 } output { 0i64 }
-- input { 7i64 0i64 } output { 0i64 }
entry wrong (w: i64) (n: i64) : i64 =
  let is = map (\i -> (i * 7919) % (w + 2) - 1) (iota n)
  let first = reduce_by_index (replicate w n) i64.min n is (iota n)
  let got =
    vjp (\vs -> reduce_by_index (replicate w 0) larger f64.lowest is vs)
        (replicate n 1)
        (map (\b -> f64.i64 (b + 1)) (iota w))
  let expected =
    map2 (\i k ->
            if 0 <= i && i < w && first[i] == k then f64.i64 (i + 1) else 0)
         is
         (iota n)
  in i64.sum (map2 (\x y -> i64.bool (x != y)) got expected)

-- D18, segments: those of table 6.1, with lengths 3, 5 and 1, and a bin without values; sorted, and in another order. By hand: an element
-- of bin 0 has the product of the others in [2, 3, 5], of bin 1 in [1, 2, 3, 1, 2], of bin 2 none, times the seed.
-- ==
-- entry: segments
-- input { [0i64, 0i64, 0i64, 1i64, 1i64, 1i64, 1i64, 1i64, 2i64] [1.0, 1.0, 1.0, 1.0] [2.0, 3.0, 5.0, 1.0, 2.0, 3.0, 1.0, 2.0, 7.0]
--   [1.0, 10.0, 100.0, 1000.0] }
-- output { [30.0, 120.0, 700.0, 1000.0] [15.0, 10.0, 6.0, 120.0, 60.0, 40.0, 120.0, 60.0, 100.0] }
-- input { [2i64, 1i64, 0i64, 1i64, 0i64, 1i64, 1i64, 0i64, 1i64] [1.0, 1.0, 1.0, 1.0] [7.0, 1.0, 2.0, 2.0, 3.0, 3.0, 1.0, 5.0, 2.0]
--   [1.0, 10.0, 100.0, 1000.0] }
-- output { [30.0, 120.0, 700.0, 1000.0] [100.0, 120.0, 15.0, 60.0, 10.0, 40.0, 120.0, 6.0, 60.0] }
entry segments [w] [n]
               (is: [n]i64)
               (dst: [w]f64)
               (vs: [n]f64)
               (seed: [w]f64) : ([w]f64, [n]f64) =
  vjp (\(dst, vs) -> reduce_by_index (copy dst) times 1 is vs) (dst, vs) seed
