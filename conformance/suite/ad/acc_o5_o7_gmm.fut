-- O5, O6, O7 (digest 001, 5.3; 3.3): the gradient of a Gaussian mixture, in several formulations. Expected: the digest's golden instance.
--
-- O7: the triangular matrices by indices in a branch (index), and gathered from the row with a zero in front (gather). O5: the sum over the
-- data as a loop whose states are kept (stored), and as one that is executed again from some of them (recomputed); how many are kept and
-- what it costs is counted in core/tests/ad_checkpoints.rs (strip_mining_trades_states_for_executions). O6: how many primitives the
-- gradient has, 39 where Accelerate has 282, is docs/gmm-gradient.md, made and checked by the_gradient_of_a_gaussian_mixture_is_listed
-- (core/tests/ad_examples.rs).

def square (x: f64) = x * x

def log_sum_exp [n] (xs: [n]f64) : f64 =
  let m = f64.maximum xs
  in m + f64.log (f64.sum (map (\x -> f64.exp (x - m)) xs))

-- Where in a row the entry (r, c) below the diagonal stands.
def place (d: i64) (r: i64) (c: i64) : i64 =
  d + c * (2 * d - c - 1) / 2 + r - c - 1

def indexed [t] (d: i64) (row: [t]f64) : [d][d]f64 =
  tabulate_2d d
              d
              (\r c ->
                 if r == c then f64.exp row[r]
                 else if r > c then row[place d r c]
                 else 0)

def gathered [t] (d: i64) (row: [t]f64) : [d][d]f64 =
  let extended =
    [0] ++ map2 (\j x -> if j < d then f64.exp x else x) (iota t) row
  let from r c = if r == c then 1 + r else if r > c then 1 + place d r c else 0
  in map (map (\i -> extended[i])) (tabulate_2d d d from)

def in_parallel [n] [d] (f: [d]f64 -> f64) (xs: [n][d]f64) : f64 =
  f64.sum (map f xs)

def objective [n] [d] [k] [t]
              (matrix: (d: i64) -> [t]f64 -> [d][d]f64)
              (total: ([d]f64 -> f64) -> [n][d]f64 -> f64)
              (alphas: [k]f64, means: [k][d]f64, icf: [k][t]f64)
              (xs: [n][d]f64)
              (gamma: f64)
              (m: i64) : f64 =
  let log_det row = f64.sum (take d row)
  let qs = map (matrix d) icf
  let score x a mean q row =
    a
    + log_det row
    - 0.5
      * f64.sum (map (\r -> square (f64.sum (map2 (*) r (map2 (-) x mean)))) q)
  let likelihood =
    total (\x -> log_sum_exp (map4 (score x) alphas means qs icf)) xs
    - f64.i64 n * log_sum_exp alphas
  let prior row =
    0.5
    * square gamma
    * f64.sum (map2 (\j x -> square (if j < d then f64.exp x else x))
                    (iota t)
                    row)
    - f64.i64 m * log_det row
  let p = f64.i64 (d + m + 1)
  let dim = f64.i64 d
  let log_multi_gamma =
    0.25 * dim * (dim - 1) * f64.log f64.pi
    + f64.sum (map (\i -> f64.lgamma (0.5 * (p - f64.i64 i))) (iota d))
  in likelihood
     - 0.5 * f64.i64 n * dim * f64.log (2 * f64.pi)
     + f64.sum (map prior icf)
     - f64.i64 k
       * (p * dim * (f64.log gamma - 0.5 * f64.log 2) - log_multi_gamma)

-- ==
-- entry: index gather stored recomputed
-- input { [0.3, -0.2] [[0.1, 0.2, -0.3], [-0.4, 0.5, 0.6]] [[0.2, -0.1, 0.05, 0.3, -0.2, 0.4], [-0.3, 0.15, 0.25, -0.5, 0.1, 0.35]]
--   [[0.5, -0.4, 0.3], [-0.2, 0.7, -0.6], [0.9, 0.1, -0.8]] 1.5 2i64 }
-- output { 1.40535043 [0.7342538, -0.7342538] [[1.363625, -0.1162804, -0.4722301], [0.2273507, -0.4812845, -0.6258151]]
--   [[2.759833, 2.124961, 2.552398, 0.7985843, -0.03336518, 1.0159], [-0.5021009, 1.17311, 1.420683, -0.8339519, 0.5305257, 0.7103839]] }
entry index [n] [d] [k] [t]
            (alphas: [k]f64)
            (means: [k][d]f64)
            (icf: [k][t]f64)
            (xs: [n][d]f64)
            (gamma: f64)
            (m: i64) =
  let (y, (a, b, c)) =
    vjp2 (\p -> objective indexed in_parallel p xs gamma m)
         (alphas, means, icf)
         1
  in (y, a, b, c)

entry gather [n] [d] [k] [t]
             (alphas: [k]f64)
             (means: [k][d]f64)
             (icf: [k][t]f64)
             (xs: [n][d]f64)
             (gamma: f64)
             (m: i64) =
  let (y, (a, b, c)) =
    vjp2 (\p -> objective gathered in_parallel p xs gamma m)
         (alphas, means, icf)
         1
  in (y, a, b, c)

entry stored [n] [d] [k] [t]
             (alphas: [k]f64)
             (means: [k][d]f64)
             (icf: [k][t]f64)
             (xs: [n][d]f64)
             (gamma: f64)
             (m: i64) =
  let one_by_one f xs = loop s = 0 for x in xs do s + f x
  let (y, (a, b, c)) =
    vjp2 (\p -> objective indexed one_by_one p xs gamma m)
         (alphas, means, icf)
         1
  in (y, a, b, c)

entry recomputed [n] [d] [k] [t]
                 (alphas: [k]f64)
                 (means: [k][d]f64)
                 (icf: [k][t]f64)
                 (xs: [n][d]f64)
                 (gamma: f64)
                 (m: i64) =
  let mined f xs = #[stripmine(2)] loop s = 0 for x in xs do s + f x
  let (y, (a, b, c)) =
    vjp2 (\p -> objective indexed mined p xs gamma m) (alphas, means, icf) 1
  in (y, a, b, c)
