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

-- | The lower triangular matrix whose diagonal is the first d elements, and whose entries below it follow, column by column. Column c has d-1-c
-- of them, so that c (2d-c-1) / 2 come before it.
def matrix_of [t] (d: i64) (row: [t]f64) : [d][d]f64 =
  let at (r: i64) (c: i64) =
    if r == c then row[r]
    else if r > c then row[d + c * (2 * d - c - 1) / 2 + r - c - 1]
    else 0.0
  in map (\r -> map (at r) (iota d)) (iota d)

-- | The row of a lower triangular matrix. `matrix_of` is linear and puts each element in one place, so that its transpose, which is its
-- `vjp`, takes them back.
def row_of [d] (t: i64) (m: [d][d]f64) : [t]f64 =
  vjp (matrix_of d) (replicate t 0.0) m

-- | Q, from its row of icf.
def matrix [t] (d: i64) (icf: [t]f64) : [d][d]f64 =
  matrix_of d (map2 (\j x -> if j < d then f64.exp x else x) (iota t) icf)

-- | The logarithm of the determinant of Q.
def log_det [t] (d: i64) (icf: [t]f64) : f64 =
  f64.sum (map (\j -> icf[j]) (iota d))

def times [n] [m] (a: [n][m]f64) (v: [m]f64) : [n]f64 =
  map (\row -> f64.sum (map2 (*) row v)) a

-- | Of one flower x and each component, the logarithm of weight times density, up to what all components share. `base` is alpha plus the
-- logarithm of the determinant of Q.
def scores [d] [k]
           (base: [k]f64)
           (means: [k][d]f64)
           (qs: [k][d][d]f64)
           (x: [d]f64) : [k]f64 =
  map3 (\b m q -> b - 0.5 * sum_of_squares (times q (map2 (-) x m)))
       base
       means
       qs

-- | What `scores` needs of a model.
def prepare [d] [k] [t]
            (alphas: [k]f64, _means: [k][d]f64, icf: [k][t]f64)
            : ([k]f64, [k][d][d]f64) =
  (map2 (\a q -> a + log_det d q) alphas icf, map (matrix d) icf)

def log_likelihood [n] [d] [k] [t]
                   (alphas: [k]f64, means: [k][d]f64, icf: [k][t]f64)
                   (xs: [n][d]f64) : f64 =
  let (base, qs) = prepare (alphas, means, icf)
  in f64.sum (map (\x -> log_sum_exp (scores base means qs x)) xs)
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
  let constant =
    f64.i64 (n * d) * (f64.log gamma - 0.5 * f64.log 2.0)
    - log_multi_gamma_half n d
  let of_component (q: [t]f64) =
    let squares =
      map2 (\j l -> square (if j < d then f64.exp l else l)) (iota t) q
    in 0.5 * square gamma * f64.sum squares - f64.i64 m * log_det d q
  in f64.sum (map of_component icf) - f64.i64 k * constant

def posterior [n] [d] [k] [t]
              (alphas: [k]f64, means: [k][d]f64, icf: [k][t]f64)
              (xs: [n][d]f64)
              (gamma: f64)
              (m: i64) : f64 =
  log_likelihood (alphas, means, icf) xs + log_prior d icf gamma m

-- The instance is digest 001 §3.3's, where value and gradient were checked against finite differences.
-- ==
-- entry: objective
-- input @ data/gmm-small.in
-- output { 1.40535043 }
entry objective [n] [d] [k] [t]
                (alphas: [k]f64)
                (means: [k][d]f64)
                (icf: [k][t]f64)
                (xs: [n][d]f64)
                (gamma: f64)
                (m: i64) : f64 =
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
entry gradient [n] [d] [k] [t]
               (alphas: [k]f64)
               (means: [k][d]f64)
               (icf: [k][t]f64)
               (xs: [n][d]f64)
               (gamma: f64)
               (m: i64) : ([k]f64, [k][d]f64, [k][t]f64) =
  vjp (\model -> posterior model xs gamma m) (alphas, means, icf) 1.0

-- | x such that Q x = b, for lower triangular Q: one component after the other.
def solve [d] (q: [d][d]f64) (b: [d]f64) : [d]f64 =
  loop x = replicate d 0.0 for r < d do
    let rest = f64.sum (map2 (*) q[r] x)
    in map (\j -> if j == r then (b[r] - rest) / q[r, r] else x[j]) (iota d)

-- | x such that Q^T x = b: the same from the last component on.
def solve_transposed [d] (q: [d][d]f64) (b: [d]f64) : [d]f64 =
  reverse (solve (map reverse (reverse (transpose q))) (reverse b))

-- | The direction of steepest ascent at a model, from the gradient of the log-likelihood there. Steepest is meant in the geometry of the
-- model (the natural gradient): what a step changes is measured against the weight and the spread of the component that it changes, so that
-- narrow components do not force small steps. Of component k with weight w,
--
--   the alpha moves by          g / (n w)
--   the mean by                 (Q^T Q)^-1 g / (n w)
--   Q by                        A Q / (n w), A the lower triangle of G Q^T with half its diagonal, G the gradient with respect to Q.
def direction [k] [d] [t]
              (n: i64)
              (alphas: [k]f64, _means: [k][d]f64, icf: [k][t]f64)
              (g_alphas: [k]f64, g_means: [k][d]f64, g_icf: [k][t]f64)
              : ([k]f64, [k][d]f64, [k][t]f64) =
  let counts = map (\a -> f64.i64 n * f64.exp (a - log_sum_exp alphas)) alphas
  let mean_step c l g =
    map (\x -> x / c) (let q = matrix d l in solve q (solve_transposed q g))
  let icf_step c l g =
    let q = matrix d l
    -- with respect to the diagonal entries themselves, not their logarithms
    let g_q =
      map2 (\r ->
              map2 (\c x ->
                      if r == c then x / q[r, r] else if r > c then x else 0.0)
                   (iota d))
           (iota d)
           (matrix_of d g)
    let a =
      map2 (\r ->
              map2 (\c x ->
                      if r == c then 0.5 * x else if r > c then x else 0.0)
                   (iota d))
           (iota d)
           (map (times q) g_q)
    let a_q = map (times (transpose q)) a
    in map (\x -> x / c)
           (row_of t
                   (map2 (\r ->
                            map2 (\c x -> if r == c then a[r, r] else x)
                                 (iota d))
                         (iota d)
                         a_q))
  in ( map2 (/) g_alphas counts
     , map3 mean_step counts icf g_means
     , map3 icf_step counts icf g_icf
     )

-- | s x + y, component by component.
def axpy [k] [d] [t]
         (s: f64)
         (a: [k]f64, b: [k][d]f64, c: [k][t]f64)
         (a': [k]f64, b': [k][d]f64, c': [k][t]f64)
         : ([k]f64, [k][d]f64, [k][t]f64) =
  let along x y = s * x + y
  in (map2 along a a', map2 (map2 along) b b', map2 (map2 along) c c')

-- | Gradient ascent on the log-likelihood (the prior is left out), and the log-likelihood after each step. A step that goes up lets the next be
-- longer; one that would go down is not taken, and the next is half as long.
def ascend [n] [d] [k] [t]
           (xs: [n][d]f64)
           (steps: i64)
           (model: ([k]f64, [k][d]f64, [k][t]f64))
           : ([steps]f64, ([k]f64, [k][d]f64, [k][t]f64)) =
  let value_and_gradient p = vjp2 (\q -> log_likelihood q xs) p 1.0
  let (value, slope) = value_and_gradient model
  let (history, model, _, _, _) =
    loop (history, model, value, slope, s) =
           (replicate steps value, model, value, slope, 1.0)
    for step < steps do
      let model' = axpy s (direction n model slope) model
      let (value', slope') = value_and_gradient model'
      let up = value' >= value
      let best = if up then value' else value
      let history =
        map2 (\i h -> if i >= step then best else h) (iota steps) history
      in if up then (history, model', value', slope', 1.2 * s)
         else (history, model, value, slope, 0.5 * s)
  in (history, model)

-- | The position of the largest element, the first of several.
def arg_max [n] (xs: [n]f64) : i64 =
  let m = f64.maximum xs
  in i64.minimum (map2 (\i x -> if x == m then i else n) (iota n) xs)

-- | How many flowers are in a group most of which is their species.
def agreeing [n] (k: i64) (groups: [n]i64) (species: [n]i64) : i64 =
  let count g s =
    i64.sum (map2 (\g' s' -> if g' == g && s' == s then 1 else 0)
                  groups
                  species)
  in i64.sum (map (\g -> i64.maximum (map (count g) (iota k))) (iota k))

-- Fits a mixture to the flowers, starting from the flowers in `start` as means, and returns: the log-likelihood after each step; the weights,
-- means and icf of the model; the group of each flower; how many flowers are grouped with their species.
--
-- The maximum of the log-likelihood is -180.18547713: found by expectation maximisation (GaussianMixture of scikit-learn 1.9.1, 3 components, full
-- covariances without regularisation, best of 10 starts) and, independently, by BFGS (SciPy 1.17.1) on a hand-derived gradient.
entry fit [n] [d] [k]
          (xs: [n][d]f64)
          (species: [n]i64)
          (start: [k]i64)
          (steps: i64)
          : ([steps]f64, [k]f64, [k][d]f64, [k][]f64, [n]i64, i64) =
  let mean = map (\column -> f64.sum column / f64.i64 n) (transpose xs)
  let deviation =
    map2 (\column m ->
            f64.sqrt (f64.sum (map (\x -> square (x - m)) column) / f64.i64 n))
         (transpose xs)
         mean
  let t = d + d * (d - 1) / 2
  let icf =
    replicate k
              (map (\j -> if j < d then -(f64.log deviation[j]) else 0.0)
                   (iota t))
  let (history, (alphas, means, icf)) =
    ascend xs steps (replicate k 0.0, map (\i -> xs[i]) start, icf)
  let weights = map (\a -> f64.exp (a - log_sum_exp alphas)) alphas
  let (base, qs) = prepare (alphas, means, icf)
  let groups = map (\x -> arg_max (scores base means qs x)) xs
  in (history, weights, means, icf, groups, agreeing k groups species)
