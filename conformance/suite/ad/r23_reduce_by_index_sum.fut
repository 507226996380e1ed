-- R23 (digest 002, 5.1.2): each value has the adjoint of its bin, and of the destination each bin its own. The digest's vectors first.
-- ==
-- entry: reverse
-- input { [0.0, 0.0, 0.0] [0i64, 1i64, 0i64, 2i64] [1.0, 2.0, 3.0, 4.0] [10.0, 20.0, 30.0] }
-- output { [10.0, 20.0, 30.0] [10.0, 20.0, 10.0, 30.0] }
-- input { [1.0, 2.0] [-1i64, 2i64, 1i64] [1.0, 2.0, 3.0] [10.0, 20.0] } output { [10.0, 20.0] [0.0, 0.0, 20.0] }
-- input { [1.0, 2.0] empty([0]i64) empty([0]f64) [10.0, 20.0] } output { [10.0, 20.0] empty([0]f64) }
-- input { empty([0]f64) [0i64] [1.0] empty([0]f64) } output { empty([0]f64) [0.0] }
entry reverse [k] [n] (h: [k]f64) (is: [n]i64) (vs: [n]f64) (adj: [k]f64): ([k]f64, [n]f64) =
  vjp (\(h, vs) -> reduce_by_index (copy h) (+) 0 is vs) (h, vs) adj

-- Values computed from what has a derivative, and bins squared: bin 0 has 1 + 9 = 10, bin 1 has 4; the sum of squares is 116, by v: 2 h 2
-- v.
-- ==
-- entry: composed
-- input { [0i64, 1i64, 0i64] [1.0, 2.0, 3.0] } output { 116.0 [40.0, 32.0, 120.0] }
entry composed [n] (is: [n]i64) (vs: [n]f64): (f64, [n]f64) =
  vjp2 (\vs -> f64.sum (map (\h -> h * h) (hist (+) 0 2 is (map (\v -> v * v) vs)))) vs 1

-- Rows, added elementwise.
-- ==
-- entry: rows
-- input { [1i64, 0i64, 1i64] [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] [[10.0, 20.0], [30.0, 40.0]] }
-- output { [[3.0, 4.0], [6.0, 8.0]] [[30.0, 40.0], [10.0, 20.0], [30.0, 40.0]] }
entry rows [n] [m] (is: [n]i64) (vs: [n][m]f64) (adj: [2][m]f64): ([2][m]f64, [n][m]f64) =
  vjp2 (hist (map2 (+)) (replicate m 0) 2 is) vs adj

-- Two coordinates.
-- ==
-- entry: in_two
-- input { [0i64, 1i64, 0i64, 2i64] [1i64, 0i64, 1i64, 0i64] [1.0, 2.0, 3.0, 4.0] [[10.0, 20.0], [30.0, 40.0]] }
-- output { [[0.0, 4.0], [2.0, 0.0]] [20.0, 30.0, 20.0, 0.0] }
entry in_two [n] (is: [n]i64) (js: [n]i64) (vs: [n]f64) (adj: [2][2]f64): ([2][2]f64, [n]f64) =
  vjp2 (\vs -> reduce_by_index_2d (replicate 2 (replicate 2 0)) (+) 0 (zip is js) vs) vs adj
