-- A Gaussian mixture: the objective of ADBench (the log-likelihood of the data with a Wishart prior on the precisions), its gradient, and a fit
-- of Fisher's iris measurements by gradient ascent.
--
--   futi run examples/gmm.fut -e fit < examples/data/iris.in
--
-- A component k has a weight (the softmax of the alphas), a mean, and an inverse covariance QᵀQ. Q is lower triangular and is stored in a row
-- `icf[k]`: the logarithms of the d diagonal entries, then the entries below the diagonal, column by column.

def log_sum_exp [n] (xs: [n]f64) : f64 =
  let m = f64.maximum xs
  in m + f64.log (f64.sum (map (\x -> f64.exp (x - m)) xs))

def square (x: f64) : f64 = x * x

def sum_of_squares [n] (xs: [n]f64) : f64 = f64.sum (map square xs)

-- | The entry in row r and column c of Q, r > c.
def below [t] (d: i64) (icf: [t]f64) (r: i64) (c: i64) : f64 =
  icf[d + d * (d - 1) / 2 - (d - 1 - c) * (d - c) / 2 + r - c - 1]

-- | Q v.
def q_times [d] [t] (icf: [t]f64) (v: [d]f64) : [d]f64 =
  map (\r -> f64.exp icf[r] * v[r]
             + f64.sum (map (\c -> if c < r then below d icf r c * v[c] else 0.0) (iota d)))
      (iota d)

-- | The logarithm of the determinant of Q.
def log_det [t] (d: i64) (icf: [t]f64) : f64 =
  f64.sum (map (\j -> icf[j]) (iota d))

-- | Of one flower x and each component, the logarithm of weight times density, up to what all components share.
def scores [d] [k] [t] (alphas: [k]f64) (means: [k][d]f64) (icf: [k][t]f64) (x: [d]f64) : [k]f64 =
  map3 (\a m q -> a + log_det d q - 0.5 * sum_of_squares (q_times q (map2 (-) x m))) alphas means icf

def log_likelihood [n] [d] [k] [t] (alphas: [k]f64, means: [k][d]f64, icf: [k][t]f64) (xs: [n][d]f64) : f64 =
  f64.sum (map (\x -> log_sum_exp (scores alphas means icf x)) xs)
  - f64.i64 n * log_sum_exp alphas
  - 0.5 * f64.i64 (n * d) * f64.log (2.0 * f64.pi)

-- | The logarithm of the gamma function at n/2: the recurrence gamma(x+1) = x gamma(x), from gamma(1) = 1 or gamma(1/2) = sqrt(pi).
def log_gamma_half (n: i64) : f64 =
  let odd = n % 2 == 1
  let first = if odd then 0.5 else 1.0
  let start = if odd then 0.5 * f64.log f64.pi else 0.0
  in loop s = start for i < (n - 1) / 2 do s + f64.log (first + f64.i64 i)

-- | The logarithm of the multivariate gamma function of dimension d at n/2.
def log_multi_gamma_half (n: i64) (d: i64) : f64 =
  0.25 * f64.i64 (d * (d - 1)) * f64.log f64.pi
  + f64.sum (map (\i -> log_gamma_half (n - i)) (iota d))

-- | The Wishart prior with parameters gamma and m, as ADBench has it.
def log_prior [k] [t] (d: i64) (icf: [k][t]f64) (gamma: f64) (m: i64) : f64 =
  let n = d + m + 1
  let constant = f64.i64 (n * d) * (f64.log gamma - 0.5 * f64.log 2.0) - log_multi_gamma_half n d
  let of_component (q: [t]f64) =
    let squares = map2 (\j l -> square (if j < d then f64.exp l else l)) (iota t) q
    in 0.5 * square gamma * f64.sum squares - f64.i64 m * log_det d q
  in f64.sum (map of_component icf) - f64.i64 k * constant

def posterior [n] [d] [k] [t] (alphas: [k]f64, means: [k][d]f64, icf: [k][t]f64)
                              (xs: [n][d]f64) (gamma: f64) (m: i64) : f64 =
  log_likelihood (alphas, means, icf) xs + log_prior d icf gamma m

-- The instance is digest 001 §3.3's, where value and gradient were checked against finite differences.
-- ==
-- entry: objective
-- input @ data/gmm-small.in
-- output { 1.40535043 }
entry objective [n] [d] [k] [t] (alphas: [k]f64) (means: [k][d]f64) (icf: [k][t]f64)
                                (xs: [n][d]f64) (gamma: f64) (m: i64) : f64 =
  posterior (alphas, means, icf) xs gamma m

-- ==
-- entry: gradient
-- input @ data/gmm-small.in
-- output {
--   [0.7342538, -0.7342538]
--   [[1.363625, -0.1162804, -0.4722301], [0.2273507, -0.4812845, -0.6258151]]
--   [[2.759833, 2.124961, 2.552398, 0.7985843, -0.03336518, 1.0159],
--    [-0.5021009, 1.17311, 1.420683, -0.8339519, 0.5305257, 0.7103839]]
-- }
entry gradient [n] [d] [k] [t] (alphas: [k]f64) (means: [k][d]f64) (icf: [k][t]f64)
                               (xs: [n][d]f64) (gamma: f64) (m: i64) : ([k]f64, [k][d]f64, [k][t]f64) =
  vjp (\model -> posterior model xs gamma m) (alphas, means, icf) 1.0

def dot [n] (xs: [n]f64) (ys: [n]f64) : f64 = f64.sum (map2 (*) xs ys)

def dot3 [k] [d] [t] (a: [k]f64, b: [k][d]f64, c: [k][t]f64) (a': [k]f64, b': [k][d]f64, c': [k][t]f64) : f64 =
  dot a a' + dot (flatten b) (flatten b') + dot (flatten c) (flatten c')

def axpy [n] (s: f64) (xs: [n]f64) (ys: [n]f64) : [n]f64 = map2 (\x y -> s * x + y) xs ys

-- | s x + y, component by component.
def axpy3 [k] [d] [t] (s: f64) (a: [k]f64, b: [k][d]f64, c: [k][t]f64) (a': [k]f64, b': [k][d]f64, c': [k][t]f64)
                    : ([k]f64, [k][d]f64, [k][t]f64) =
  (axpy s a a', map2 (axpy s) b b', map2 (axpy s) c c')

-- | Gradient ascent on the log-likelihood (the prior is left out). The length of a step is Barzilai's and Borwein's; a step that would go
-- down is not taken, and the next is a quarter of it. One round is `inner` steps; the log-likelihood after each round is kept.
def ascend [n] [d] [k] [t] (xs: [n][d]f64) (rounds: i64) (inner: i64)
                           (model: ([k]f64, [k][d]f64, [k][t]f64)) : ([rounds]f64, ([k]f64, [k][d]f64, [k][t]f64)) =
  let value_and_gradient p = vjp2 (\q -> log_likelihood q xs) p 1.0
  let (value, slope) = value_and_gradient model
  let history = replicate rounds value
  let (history, model, _, _, _) =
    loop (history, model, value, slope, s) = (history, model, value, slope, 1e-4) for round < rounds do
      let (model, value, slope, s) =
        loop (model, value, slope, s) = (model, value, slope, s) for _i < inner do
          let model' = axpy3 s slope model
          let (value', slope') = value_and_gradient model'
          let curvature = dot3 slope (axpy3 (-1.0) slope' slope)
          let s' = if curvature > 0.0 then s * dot3 slope slope / curvature else 2.0 * s
          in if value' >= value then (model', value', slope', s') else (model, value, slope, s / 4.0)
      let history = map2 (\i h -> if i >= round then value else h) (iota rounds) history
      in (history, model, value, slope, s)
  in (history, model)

-- | The position of the largest element, the first of several.
def arg_max [n] (xs: [n]f64) : i64 =
  let m = f64.maximum xs
  in i64.minimum (map2 (\i x -> if x == m then i else n) (iota n) xs)

-- | How many flowers are in a group most of which is their species.
def agreeing [n] (k: i64) (groups: [n]i64) (species: [n]i64) : i64 =
  let count g s = i64.sum (map2 (\g' s' -> if g' == g && s' == s then 1 else 0) groups species)
  in i64.sum (map (\g -> i64.maximum (map (count g) (iota k))) (iota k))

-- Fits a mixture to the flowers, starting from the flowers in `start` as means, and returns: the log-likelihood after each round; the weights,
-- means and icf of the model; the group of each flower; how many flowers are grouped with their species.
--
-- The maximum of the log-likelihood is -180.18547713: found by expectation maximisation (GaussianMixture of scikit-learn 1.9.1, 3 components, full
-- covariances without regularisation, best of 10 starts) and, independently, by BFGS (SciPy 1.17.1) on a hand-derived gradient.
entry fit [n] [d] [k] (xs: [n][d]f64) (species: [n]i64) (start: [k]i64) (rounds: i64)
                    : ([rounds]f64, [k]f64, [k][d]f64, [k][]f64, [n]i64, i64) =
  let mean = map (\column -> f64.sum column / f64.i64 n) (transpose xs)
  let deviation = map2 (\column m -> f64.sqrt (f64.sum (map (\x -> square (x - m)) column) / f64.i64 n))
                       (transpose xs) mean
  let t = d + d * (d - 1) / 2
  let icf = replicate k (map (\j -> if j < d then -(f64.log deviation[j]) else 0.0) (iota t))
  let (history, (alphas, means, icf)) =
    ascend xs rounds 10 (replicate k 0.0, map (\i -> xs[i]) start, icf)
  let weights = map (\a -> f64.exp (a - log_sum_exp alphas)) alphas
  let groups = map (\x -> arg_max (scores alphas means icf x)) xs
  in (history, weights, means, icf, groups, agreeing k groups species)
