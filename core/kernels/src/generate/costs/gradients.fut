-- What these programs launch is in gradients.txt, for the arguments behind `of`.

-- of 200i64
entry gradient (n: i64) = vjp (\xs -> f64.sum (map2 (*) xs (scan (+) 0 xs))) (map f64.i64 (iota n)) 1

-- of 20i64 30i64
entry gradient_of_rows (n: i64) (m: i64) =
  vjp (\w -> f64.sum (map (\i -> f64.tanh (f64.sum (map (\j -> w[j] * f64.i64 (i - j)) (iota m)))) (iota n))) (map f64.i64 (iota m)) 1

-- of 50i64
-- of 50i64 | whole_loops=1000000
entry gradient_of_rounds (n: i64) = vjp (\xs -> f64.sum (loop xs = xs for _i < 3 do map (\x -> x * x) xs)) (map f64.i64 (iota n)) 1

-- of 300i64 10i64
entry gradient_of_counts (n: i64) (m: i64) =
  vjp (\xs -> f64.sum (map (\x -> x * x) (hist (+) 0 m (map (% m) (iota n)) xs))) (map f64.i64 (iota n)) 1

-- of 100i64 10i64
entry gradient_of_gather (n: i64) (m: i64) =
  vjp (\xs -> f64.sum (map (\i -> xs[i * i % m] * xs[i % m]) (iota n))) (map f64.i64 (iota m)) 1

-- of 100i64 10i64
entry gradient_of_gather_of_halves (n: i64) (m: i64) =
  vjp (\xs -> f16.sum (map (\i -> xs[i * i % m] * xs[i % m]) (iota n))) (map f16.i64 (iota m)) 1
