-- A Kalman filter of a constant-velocity model, as one writes it: the log-likelihood of observations, and its gradient. Small matrices in each round of a long loop are much for a compiler,
-- and little for a device.
--
-- Of one observation, 1: its variance is s = 1.01 + 0.5 * 0.1^3 / 3 + 0.1, the log-likelihood -(log (2 pi s) + 1 / s) / 2. Its derivative by s, d = -(1 / s - 1 / s^2) / 2, makes those by the
-- variances: 0.1^3 / 3 * d and d; that by the position is 1 / s.

-- ==
-- entry: loglik
-- tiny input { [1.0] } output { -1.4215764357077578 }
-- small script input { obs 10000i64 }

-- ==
-- entry: gradient
-- tiny input { [1.0] } output { [-1.4897815522716906e-05, -0.04469344656815072, 0.9007656508031826] }
-- small script input { obs 10000i64 }

-- The product of two matrices, and of a matrix and a vector.
def mm [n] [m] [k] (a: [n][m]f64) (b: [m][k]f64) : [n][k]f64 =
  map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose b)) a
def mv [n] [m] (a: [n][m]f64) (x: [m]f64) : [n]f64 =
  map (\r -> f64.sum (map2 (*) r x)) a

-- The variance of the acceleration, that of the observations, and the first position.
def log_likelihood [t] (theta: [3]f64) (ys: [t]f64) : f64 =
  let dt = 0.1
  let f = [[1, dt], [0, 1]]
  let q =
    [ [theta[0] * dt * dt * dt / 3, theta[0] * dt * dt / 2]
    , [theta[0] * dt * dt / 2, theta[0] * dt]
    ]
  let r = theta[1]
  let (ll, _, _) =
    loop (ll, x, p) = (0, [theta[2], 0], [[1, 0], [0, 1]]) for y in ys do
      let x = mv f x
      let p = map2 (map2 (+)) (mm (mm f p) (transpose f)) q
      let s = p[0, 0] + r
      let e = y - x[0]
      let k = map (\row -> row[0] / s) p
      let x = map2 (\xi ki -> xi + ki * e) x k
      let p = map2 (\row ki -> map2 (\pij hj -> pij - ki * hj) row p[0]) p k
      in (ll - 0.5 * (f64.log (2 * f64.pi * s) + e * e / s), x, p)
  in ll

entry obs (t: i64) : [t]f64 =
  map (\i -> f64.sin (f64.i64 i * 0.05) + 0.1 * f64.sin (f64.i64 (i * i % 17)))
      (iota t)
entry loglik [t] (ys: [t]f64) : f64 = log_likelihood [0.5, 0.1, 0] ys
entry gradient [t] (ys: [t]f64) : [3]f64 =
  vjp (\th -> log_likelihood th ys) [0.5, 0.1, 0] 1
