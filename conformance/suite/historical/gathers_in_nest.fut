-- Futhark #1895 (futhark-compat.md §7): gradients of many small problems at once, each of which reads from computed places, were wrong on a GPU: the
-- additions to their adjoints went astray. The sum of (i + 1) d^2, d = x[i] - x[n-1-i], has by x[j] the derivative 2 (j + 1) d + 2 (n - j) d = 2 (n +
-- 1) d. For n = 3 8 d; d = [-3, 0, 3] and [-1, 0, 1]. For n = 1 0.
-- ==
-- input { [[1.0, 2.0, 4.0], [0.0, 5.0, 1.0]] } output { [[-24.0, 0.0, 24.0], [-8.0, 0.0, 8.0]] }
-- input { [[7.0], [8.0]] }                     output { [[0.0], [0.0]] }
-- input { empty([0][3]f64) }                   output { empty([0][3]f64) }
-- input { empty([2][0]f64) }                   output { empty([2][0]f64) }
entry main [n] [m] (xss: [n][m]f64): [n][m]f64 =
  let f (xs: [m]f64) = f64.sum (map (\i -> let d = xs[i] - xs[m - 1 - i] in f64.i64 (i + 1) * d * d) (iota m))
  in map (\xs -> vjp f xs 1.0) xss
