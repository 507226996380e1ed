-- D21 to D24 (digest 000, table 5.D): histograms of arrays, whose operator is a map of one of numbers, or a map of that. For products and
-- minima the literal vectors of D21 and D22. By hand for the rest, of the same columns: bin 0 has 4 5 3 and 1 1 4, bin 1 2 0 6 and 3 2 0,
-- bin 2 8 and 9. A sum's adjoint is that of the bin; the largest are 5, 4, 6, 3 (of the destination), 8, 9; the sum in the first column of
-- bin 0 is above 10, where it saturates.
def f [w] [n] [m] (op: f64 -> f64 -> f64) (ne: f64) (is: [n]i64) (dst: [w][m]f64, vs: [n][m]f64): [w][m]f64 =
  reduce_by_index (copy dst) (map2 op) (replicate m ne) is vs

def nested [w] [n] [k] [m] (op: f64 -> f64 -> f64) (ne: f64) (is: [n]i64) (dst: [w][k][m]f64, vs: [n][k][m]f64): [w][k][m]f64 =
  reduce_by_index (copy dst) (map2 (map2 op)) (replicate k (replicate m ne)) is vs

-- ==
-- entry: product
-- input { [0i64, 1i64, 0i64, -1i64, 1i64] [[4.0, 1.0], [2.0, 3.0], [8.0, 9.0]]
--   [[5.0, 1.0], [0.0, 2.0], [3.0, 4.0], [7.0, 7.0], [6.0, 0.0]] [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] }
-- output { [[15.0, 8.0], [0.0, 0.0], [5.0, 6.0]] [[12.0, 8.0], [36.0, 0.0], [20.0, 2.0], [0.0, 0.0], [0.0, 24.0]] }
-- input { [0i64, 1i64, 0i64, -1i64, 1i64] empty([3][0]f64) empty([5][0]f64) empty([3][0]f64) }
-- output { empty([3][0]f64) empty([5][0]f64) }
entry product [w] [n] [m] (is: [n]i64) (dst: [w][m]f64) (vs: [n][m]f64) (seed: [w][m]f64): ([w][m]f64, [n][m]f64) =
  vjp (f (*) 1.0 is) (dst, vs) seed

-- ==
-- entry: sum
-- input { [0i64, 1i64, 0i64, -1i64, 1i64] [[4.0, 1.0], [2.0, 3.0], [8.0, 9.0]]
--   [[5.0, 1.0], [0.0, 2.0], [3.0, 4.0], [7.0, 7.0], [6.0, 0.0]] [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] }
-- output { [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] [[1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [0.0, 0.0], [3.0, 4.0]] }
-- input { [0i64, 1i64, 0i64, -1i64, 1i64] empty([3][0]f64) empty([5][0]f64) empty([3][0]f64) }
-- output { empty([3][0]f64) empty([5][0]f64) }
entry sum [w] [n] [m] (is: [n]i64) (dst: [w][m]f64) (vs: [n][m]f64) (seed: [w][m]f64): ([w][m]f64, [n][m]f64) =
  vjp (f (+) 0.0 is) (dst, vs) seed

-- ==
-- entry: maximum
-- input { [0i64, 1i64, 0i64, -1i64, 1i64] [[4.0, 1.0], [2.0, 3.0], [8.0, 9.0]]
--   [[5.0, 1.0], [0.0, 2.0], [3.0, 4.0], [7.0, 7.0], [6.0, 0.0]] [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] }
-- output { [[0.0, 0.0], [0.0, 4.0], [5.0, 6.0]] [[1.0, 0.0], [0.0, 0.0], [0.0, 2.0], [0.0, 0.0], [3.0, 0.0]] }
entry maximum [w] [n] [m] (is: [n]i64) (dst: [w][m]f64) (vs: [n][m]f64) (seed: [w][m]f64): ([w][m]f64, [n][m]f64) =
  vjp (f f64.max f64.lowest is) (dst, vs) seed

-- ==
-- entry: saturating
-- input { [0i64, 1i64, 0i64, -1i64, 1i64] [[4.0, 1.0], [2.0, 3.0], [8.0, 9.0]]
--   [[5.0, 1.0], [0.0, 2.0], [3.0, 4.0], [7.0, 7.0], [6.0, 0.0]] [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] }
-- output { [[0.0, 2.0], [3.0, 4.0], [5.0, 6.0]] [[0.0, 2.0], [3.0, 4.0], [0.0, 2.0], [0.0, 0.0], [3.0, 4.0]] }
-- input { [0i64, 1i64, 0i64, -1i64, 1i64] empty([3][0]f64) empty([5][0]f64) empty([3][0]f64) }
-- output { empty([3][0]f64) empty([5][0]f64) }
entry saturating [w] [n] [m] (is: [n]i64) (dst: [w][m]f64) (vs: [n][m]f64) (seed: [w][m]f64): ([w][m]f64, [n][m]f64) =
  vjp (f (\x y -> if 10.0 - x < y then 10.0 else x + y) 0.0 is) (dst, vs) seed

-- ==
-- entry: product_nested
-- input { [0i64, 1i64, 0i64, -1i64, 1i64] [[[4.0], [1.0]], [[2.0], [3.0]], [[8.0], [9.0]]]
--   [[[5.0], [1.0]], [[0.0], [2.0]], [[3.0], [4.0]], [[7.0], [7.0]], [[6.0], [0.0]]] [[[1.0], [2.0]], [[3.0], [4.0]], [[5.0], [6.0]]] }
-- output { [[[15.0], [8.0]], [[0.0], [0.0]], [[5.0], [6.0]]]
--   [[[12.0], [8.0]], [[36.0], [0.0]], [[20.0], [2.0]], [[0.0], [0.0]], [[0.0], [24.0]]] }
entry product_nested [w] [n] [k] [m] (is: [n]i64) (dst: [w][k][m]f64) (vs: [n][k][m]f64) (seed: [w][k][m]f64)
  : ([w][k][m]f64, [n][k][m]f64) =
  vjp (nested (*) 1.0 is) (dst, vs) seed

-- ==
-- entry: sum_nested
-- input { [0i64, 1i64, 0i64, -1i64, 1i64] [[[4.0], [1.0]], [[2.0], [3.0]], [[8.0], [9.0]]]
--   [[[5.0], [1.0]], [[0.0], [2.0]], [[3.0], [4.0]], [[7.0], [7.0]], [[6.0], [0.0]]] [[[1.0], [2.0]], [[3.0], [4.0]], [[5.0], [6.0]]] }
-- output { [[[1.0], [2.0]], [[3.0], [4.0]], [[5.0], [6.0]]]
--   [[[1.0], [2.0]], [[3.0], [4.0]], [[1.0], [2.0]], [[0.0], [0.0]], [[3.0], [4.0]]] }
entry sum_nested [w] [n] [k] [m] (is: [n]i64) (dst: [w][k][m]f64) (vs: [n][k][m]f64) (seed: [w][k][m]f64)
  : ([w][k][m]f64, [n][k][m]f64) =
  vjp (nested (+) 0.0 is) (dst, vs) seed

-- ==
-- entry: maximum_nested
-- input { [0i64, 1i64, 0i64, -1i64, 1i64] [[[4.0], [1.0]], [[2.0], [3.0]], [[8.0], [9.0]]]
--   [[[5.0], [1.0]], [[0.0], [2.0]], [[3.0], [4.0]], [[7.0], [7.0]], [[6.0], [0.0]]] [[[1.0], [2.0]], [[3.0], [4.0]], [[5.0], [6.0]]] }
-- output { [[[0.0], [0.0]], [[0.0], [4.0]], [[5.0], [6.0]]]
--   [[[1.0], [0.0]], [[0.0], [0.0]], [[0.0], [2.0]], [[0.0], [0.0]], [[3.0], [0.0]]] }
entry maximum_nested [w] [n] [k] [m] (is: [n]i64) (dst: [w][k][m]f64) (vs: [n][k][m]f64) (seed: [w][k][m]f64)
  : ([w][k][m]f64, [n][k][m]f64) =
  vjp (nested f64.max f64.lowest is) (dst, vs) seed

-- ==
-- entry: saturating_nested
-- input { [0i64, 1i64, 0i64, -1i64, 1i64] [[[4.0], [1.0]], [[2.0], [3.0]], [[8.0], [9.0]]]
--   [[[5.0], [1.0]], [[0.0], [2.0]], [[3.0], [4.0]], [[7.0], [7.0]], [[6.0], [0.0]]] [[[1.0], [2.0]], [[3.0], [4.0]], [[5.0], [6.0]]] }
-- output { [[[0.0], [2.0]], [[3.0], [4.0]], [[5.0], [6.0]]]
--   [[[0.0], [2.0]], [[3.0], [4.0]], [[0.0], [2.0]], [[0.0], [0.0]], [[3.0], [4.0]]] }
entry saturating_nested [w] [n] [k] [m] (is: [n]i64) (dst: [w][k][m]f64) (vs: [n][k][m]f64) (seed: [w][k][m]f64)
  : ([w][k][m]f64, [n][k][m]f64) =
  vjp (nested (\x y -> if 10.0 - x < y then 10.0 else x + y) 0.0 is) (dst, vs) seed

-- Each column has its own winner; in bin 0 the destination's 1 ties with an element's (of integers, as at a kink there is no numerical
-- derivative).
-- ==
-- entry: minimum
-- input { [0i64, 1i64, 0i64, -1i64, 1i64] [[4i64, 1i64], [2i64, 3i64], [8i64, 9i64]]
--   [[5i64, 1i64], [0i64, 2i64], [3i64, 4i64], [7i64, 7i64], [6i64, 0i64]] [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] }
-- output { [[0.0, 2.0], [0.0, 0.0], [5.0, 6.0]] [[0.0, 0.0], [3.0, 0.0], [1.0, 0.0], [0.0, 0.0], [0.0, 4.0]] }
entry minimum [w] [n] [m] (is: [n]i64) (dst: [w][m]i64) (vs: [n][m]i64) (seed: [w][m]f64): ([w][m]f64, [n][m]f64) =
  vjp (f f64.min f64.highest is) (map (map f64.i64) dst, map (map f64.i64) vs) seed

-- The same maxima, with the places where they are: elements are arrays of pairs.
-- ==
-- entry: argmax
-- input { [0i64, 1i64, 0i64, -1i64, 1i64] [[4.0, 1.0], [2.0, 3.0], [8.0, 9.0]]
--   [[5.0, 1.0], [0.0, 2.0], [3.0, 4.0], [7.0, 7.0], [6.0, 0.0]] [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] }
-- output { [[0.0, 0.0], [0.0, 4.0], [5.0, 6.0]] [[1.0, 0.0], [0.0, 0.0], [0.0, 2.0], [0.0, 0.0], [3.0, 0.0]] }
entry argmax [w] [n] [m] (is: [n]i64) (dst: [w][m]f64) (vs: [n][m]f64) (seed: [w][m]f64): ([w][m]f64, [n][m]f64) =
  let best (x: f64, i: i64) (y: f64, j: i64) = if x == y then (x, i64.min i j) else if x > y then (x, i) else (y, j)
  let place k = map (\x -> (x, k))
  in vjp (\(d, v) ->
            map (map (.0))
                (reduce_by_index (map (place (-1)) d) (map2 best) (replicate m (f64.lowest, i64.highest)) is
                                 (map2 place (iota n) v)))
         (dst, vs) seed

-- Forward: all move by 1. In bin 0 4 5 3 = 60 by 15 + 12 + 20 and 1 1 4 by 4 + 4 + 1, in bin 1 2 0 6 by 12 and 3 2 0 by 6.
-- ==
-- entry: forward
-- input { [0i64, 1i64, 0i64, -1i64, 1i64] [[4.0, 1.0], [2.0, 3.0], [8.0, 9.0]]
--   [[5.0, 1.0], [0.0, 2.0], [3.0, 4.0], [7.0, 7.0], [6.0, 0.0]] }
-- output { [[47.0, 9.0], [12.0, 6.0], [1.0, 1.0]] }
entry forward [w] [n] [m] (is: [n]i64) (dst: [w][m]f64) (vs: [n][m]f64): [w][m]f64 =
  jvp (f (*) 1.0 is) (dst, vs) (replicate w (replicate m 1.0), replicate n (replicate m 1.0))
