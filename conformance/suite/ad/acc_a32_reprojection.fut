-- A28, A32 (digest 001, 3.4): the gradients of bundle adjustment's two errors within a map: rows for a camera that is turned and for one
-- that is not, where the branch that is not taken divides by zero. Expected: the digest's golden block. Order: r, c, f, x0, k, X, w.
def dot (a: [3]f64) (b: [3]f64): f64 = a[0] * b[0] + a[1] * b[1] + a[2] * b[2]

def cross (a: [3]f64) (b: [3]f64): [3]f64 =
  [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]

def rotate_by (r: [3]f64) (x: [3]f64): [3]f64 =
  let s = dot r r
  in if s == 0
     then map2 (+) x (cross r x)
     else let t = f64.sqrt s
          let v = map (/ t) r
          let k = dot v x * (1 - f64.cos t)
          in map3 (\x y v -> x * f64.cos t + y * f64.sin t + v * k) x (cross v x) v

def error (p: [15]f64) (feature: [2]f64): [2]f64 =
  let x = rotate_by [p[0], p[1], p[2]] [p[11] - p[3], p[12] - p[4], p[13] - p[5]]
  let u = [x[0] / x[2], x[1] / x[2]]
  let s = u[0] * u[0] + u[1] * u[1]
  let l = 1 + p[9] * s + p[10] * s * s
  in [p[14] * (u[0] * l * p[6] + p[7] - feature[0]), p[14] * (u[1] * l * p[6] + p[8] - feature[1])]

-- ==
-- input { [[0.1, -0.2, 0.3, 0.5, -0.4, -3.0, 2.0, 0.05, -0.07, 0.01, -0.002, 0.3, 0.6, 1.2, 0.8]] [0.25, 0.35] }
-- output { [[-0.6450083, -0.1964664]]
--          [[[0.2816158, 1.710495, -0.2463821, -0.3889201, 0.1100695, -0.04472703, -0.2425042, 0.8, 0.0, -0.04811442, -0.004777755,
--             0.3889201, -0.1100695, 0.04472703, -0.8062604],
--            [-1.635845, 0.1830412, -0.3269247, -0.1027185, -0.3671247, 0.08251928, 0.0697668, 0.0, 0.8, 0.01384219, 0.001374528,
--             0.1027185, 0.3671247, -0.08251928, -0.245583]]] }
entry main [n] (ps: [n][15]f64) (feature: [2]f64): ([n][2]f64, [n][2][15]f64) =
  (map (\p -> error p feature) ps, map (\p -> map (vjp (\p -> error p feature) p) [[1, 0], [0, 1]]) ps)

-- x + r x X is the rotation by a small r to the first order only: its second derivatives are not those beside it.
-- ==
-- entry: straight
-- no_derivative input { [[0.0, 0.0, 0.0, 0.5, -0.4, -3.0, 2.0, 0.05, -0.07, 0.01, -0.002, 0.3, 0.6, 1.2, 0.8]] [0.25, 0.35] }
-- output { [[-0.23623487, 0.04517433]]
--          [[[0.0185263, 1.604637, -0.3811743, -0.3811912, 8.434659e-05, -0.01817204, -0.03811743, 0.8, 0.0, -0.004491956, -0.0002648318,
--             0.3811912, -8.434659e-05, 0.01817204, -0.2952936],
--            [-1.693564, -0.0185263, -0.07623487, 8.434659e-05, -0.3815961, 0.09086022, 0.1905872, 0.0, 0.8, 0.02245978, 0.001324159,
--             -8.434659e-05, 0.3815961, -0.09086022, 0.05646791]]] }
entry straight [n] (ps: [n][15]f64) (feature: [2]f64) = main ps feature

-- The errors alone: here the first derivatives are right.
-- ==
-- entry: errors
-- input { [0.0, 0.0, 0.0, 0.5, -0.4, -3.0, 2.0, 0.05, -0.07, 0.01, -0.002, 0.3, 0.6, 1.2, 0.8] [0.25, 0.35] }
-- output { [-0.23623487, 0.04517433] }
entry errors (p: [15]f64) (feature: [2]f64) = error p feature
