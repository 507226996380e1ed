-- R26 (digest 002, 5.1.2, beyond the paper): other operators. Expected values by hand, from the closed forms.

-- x (+) y = x + y + x y: a bin is (1 + h) times the product of the 1 + v, less 1. Bin 0: 2 * 2 * 4 * 5 - 1 = 79, bin 1: 1 * 3 - 1; each
-- derivative is the product of the other factors. Adjoints [1, 10].
-- ==
-- entry: scalar
-- input { [1.0, 0.0] [0i64, 1i64, 0i64, 0i64, 5i64] [1.0, 2.0, 3.0, 4.0, 9.0] [1.0, 10.0] }
-- output { [79.0, 2.0] [40.0, 30.0] [40.0, 10.0, 20.0, 16.0, 0.0] }
-- input { [1.0, 0.0] empty([0]i64) empty([0]f64) [1.0, 10.0] } output { [1.0, 0.0] [1.0, 10.0] empty([0]f64) }
entry scalar [k] [n] (h: [k]f64) (is: [n]i64) (vs: [n]f64) (adj: [k]f64): ([k]f64, [k]f64, [n]f64) =
  let (y, (h', vs')) = vjp2 (\(h, vs) -> reduce_by_index (copy h) (\x y -> x + y + x * y) 0 is vs) (h, vs) adj
  in (y, h', vs')

-- A free variable: x + y + k x y. A bin of x, y, z is e1 + k e2 + k^2 e3, by k: e2 + 2 k e3; for [1, 2, 3], k = 0.5: 13, and 11 + 6. The
-- other bin is 4. By x: (1 + 2 k) (1 + 3 k) = 5, 1.5 * 2.5 = 3.75, 1.5 * 2 = 3. The operator is associative and commutative whatever k is.
-- ==
-- entry: free
-- input { 0.5 [0i64, 1i64, 0i64, 0i64] [1.0, 4.0, 2.0, 3.0] } output { [13.0, 4.0] 17.0 [5.0, 10.0, 3.75, 3.0] }
entry free [n] (k: f64) (is: [n]i64) (vs: [n]f64): ([2]f64, f64, [n]f64) =
  let (y, (k', vs')) = vjp2 (\(k, vs) -> hist (\x y -> x + y + k * x * y) 0 2 is vs) (k, vs) [1, 10]
  in (y, k', vs')

-- The same with k in an array.
-- ==
-- entry: free_array
-- input { [7.0, 0.5] [0i64, 1i64, 0i64, 0i64] [1.0, 4.0, 2.0, 3.0] } output { [13.0, 4.0] [0.0, 17.0] [5.0, 10.0, 3.75, 3.0] }
entry free_array [m] [n] (ks: [m]f64) (is: [n]i64) (vs: [n]f64): ([2]f64, [m]f64, [n]f64) =
  let (y, (ks', vs')) = vjp2 (\(ks, vs) -> hist (\x y -> x + y + ks[1] * x * y) 0 2 is vs) (ks, vs) [1, 10]
  in (y, ks', vs')

-- Pairs: products of complex numbers, (1 + 2i) (3 + 4i) = -5 + 10i in bin 0, 2 - i in bin 1. With the adjoints (1, 10) of the parts, by z =
-- (c, d), the other factor (a, b): (a + 10 b, 10 a - b). For (1, 2): 43, 26; for (3, 4): 21, 8. Bin 1 with (100, 1000): itself.
-- ==
-- entry: complex
-- input { [0i64, 1i64, 0i64] [1.0, 2.0, 3.0] [2.0, -1.0, 4.0] }
-- output { [-5.0, 2.0] [10.0, -1.0] [43.0, 100.0, 21.0] [26.0, 1000.0, 8.0] }
entry complex [n] (is: [n]i64) (re: [n]f64) (im: [n]f64): ([2]f64, [2]f64, [n]f64, [n]f64) =
  let times (a, b) (c, d) = (a * c - b * d, a * d + b * c: f64)
  let f (re, im) = unzip (hist times (1, 0) 2 is (zip re im))
  let ((x, y), (re', im')) = vjp2 f (re, im) ([1, 100], [10, 1000])
  in (x, y, re', im')

-- Components of other types: a product beside a count, then the product times the count: bin 0: 2 * 4 * 2, bin 1: 3.
-- ==
-- entry: counted
-- input { [0i64, 1i64, 0i64] [2.0, 3.0, 4.0] } output { [16.0, 3.0] [8.0, 10.0, 4.0] }
entry counted [n] (is: [n]i64) (vs: [n]f64): ([2]f64, [n]f64) =
  let f vs = map (\(p, c) -> p * f64.i64 c) (hist (\(p, c) (q, d) -> (p * q, c + d)) (1, 0i64) 2 is (zip vs (replicate n 1)))
  in vjp2 f vs [1, 10]

-- Vectors, multiplied elementwise: [2 * 4, 3 * 5] and [6, 7].
-- ==
-- entry: vectors
-- input { [0i64, 0i64, 1i64] [[2.0, 3.0], [4.0, 5.0], [6.0, 7.0]] [[1.0, 10.0], [100.0, 1000.0]] }
-- output { [[8.0, 15.0], [6.0, 7.0]] [[4.0, 50.0], [2.0, 30.0], [100.0, 1000.0]] }
entry vectors [n] [m] (is: [n]i64) (vs: [n][m]f64) (adj: [2][m]f64): ([2][m]f64, [n][m]f64) =
  vjp2 (hist (map2 (*)) (replicate m 1) 2 is) vs adj

-- Complex numbers as arrays of two: an operator that is no map.
-- ==
-- entry: complex_arrays
-- input { [0i64, 1i64, 0i64] [[1.0, 2.0], [2.0, -1.0], [3.0, 4.0]] }
-- output { [[-5.0, 10.0], [2.0, -1.0]] [[43.0, 26.0], [100.0, 1000.0], [21.0, 8.0]] }
entry complex_arrays [n] (is: [n]i64) (zs: [n][2]f64): ([2][2]f64, [n][2]f64) =
  let times (x: [2]f64) (y: [2]f64): [2]f64 = [x[0] * y[0] - x[1] * y[1], x[0] * y[1] + x[1] * y[0]]
  in vjp2 (hist times [1, 0] 2 is) zs [[1, 10], [100, 1000]]
