-- A29, A30 (digest 001, 5.2; 2.4): the logarithm of a sum of exponentials, and a network. Expected: the digest's golden values for its
-- inputs a and b. In reverse mode, and the same from forward mode.

def both [n] (f: [n]f64 -> f64) (a: [n]f64) : (f64, [n]f64, [n]f64) =
  let unit i = map (\j -> f64.bool (i == j)) (iota n)
  let (y, gradient) = vjp2 f a 1
  in (y, gradient, map (jvp f a) (map unit (iota n)))

def log_sum_exp [n] (a: [n]f64) : f64 =
  let m = f64.maximum a
  in f64.log (f64.sum (map (\x -> f64.exp (x - m)) a))

-- A29, logsumexp1: the gradient sums up to 1; last with numbers at which exp alone would overflow: by hand log 2 more than 1000, and
-- halves. (It is a kink of the maximum: there are no differences.)
-- ==
-- entry: log_sum_exp_1
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] }
-- output { 3.713583 [0.0851294, 0.00257068, 0.0516336, 0.629026, 0.011521, 0.22012] [0.0851294, 0.00257068, 0.0516336, 0.629026, 0.011521, 0.22012] }
-- input { [1000.0] } output { 1000.0 [1.0] [1.0] }
-- no_derivative input { [1000.0, 1000.0] } output { 1000.6931471805599 [0.5, 0.5] [0.5, 0.5] }
entry log_sum_exp_1 [n] (a: [n]f64) =
  both (\a -> log_sum_exp a + f64.maximum a) a

-- A29, logsumexp2: without the maximum the gradient sums up to 0.
-- ==
-- entry: log_sum_exp_2
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] }
-- output { 0.4635833 [0.0851294, 0.00257068, 0.0516336, -0.370974, 0.011521, 0.22012] [0.0851294, 0.00257068, 0.0516336, -0.370974, 0.011521, 0.22012] }
entry log_sum_exp_2 [n] (a: [n]f64) = both log_sum_exp a

-- A29, logsumexp3.
-- ==
-- entry: log_sum_exp_3
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 6.5 [0.0, 0.0, 0.0, 2.0, 0.0, 0.0] [0.0, 0.0, 0.0, 2.0, 0.0, 0.0] }
entry log_sum_exp_3 [n] (a: [n]f64) =
  both (\a -> let m = f64.maximum a in m + m) a

-- A30: a network of layers with h, k and one neuron; its weights are picked from an array.
def network [n] [m] (h: i64) (k: i64) (input: [n]f64, weights: [m]f64) : f64 =
  let sigmoid x = 1 / (1 + f64.exp (-x))
  let weight seed i j = weights[(i + j + j * j * seed) ** (1 + seed) % m]
  let layer rows seed xs =
    tabulate rows
             (\i ->
                sigmoid (f64.sum (map2 (\j x -> weight seed i j * x)
                                       (indices xs)
                                       xs)))
  in (layer 1 3 (layer k 2 (layer h 1 input)))[0]

-- ==
-- entry: reverse forward
-- input { 2i64 3i64 [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] [0.5, 1.25, 2.0, 1.75] }
-- output { 0.7841874 [0.00120826, 0.00120826, 0.00120826, 0.00120826, 0.00120826, 0.00120826] [0.474531, 0.0220844, 0.0, 0.00760285] }
entry reverse [n] [m]
              (h: i64)
              (k: i64)
              (input: [n]f64)
              (weights: [m]f64) : (f64, [n]f64, [m]f64) =
  let (y, (a, b)) = vjp2 (network h k) (input, weights) 1
  in (y, a, b)

entry forward [n] [m]
              (h: i64)
              (k: i64)
              (input: [n]f64)
              (weights: [m]f64) : (f64, [n]f64, [m]f64) =
  let unit n i = map (\j -> f64.bool (i == j)) (iota n)
  let at = (input, weights)
  in ( network h k at
     , map (\i -> jvp (network h k) at (unit n i, replicate m 0)) (iota n)
     , map (\i -> jvp (network h k) at (replicate n 0, unit m i)) (iota m)
     )
