-- What these programs launch is in bins.txt, for the arguments behind `of`.

-- of 300i64 10i64
entry counted (n: i64) (m: i64) = reduce_by_index (replicate m 0i64) (+) 0 (map (% m) (iota n)) (replicate n 1)

-- of 300i64 10i64
entry counted_twice (n: i64) (m: i64) =
  let is = map (% m) (iota n)
  in (hist (+) 0i64 m is (iota n), hist i64.max 0 m is (map (* 2) (iota n)))

-- of 300i64 10i64
entry counted_pairs (n: i64) (m: i64) = hist (\(a, b) (c, d) -> (a * c % 97, (b * c + d) % 97)) (1i64, 0i64) m (map (% m) (iota n)) (map (\i -> (i % 3, i)) (iota n))

-- of 300i64 10i64
entry scattered (n: i64) (m: i64) = scatter (replicate m 0i64) (map (\i -> i % (2 * m)) (iota n)) (map (% 5) (iota n))

-- of 30i64 10i64
entry rows_counted (n: i64) (m: i64) = map (\i -> hist (+) 0i64 m (map (\j -> (i + j) % m) (iota n)) (iota n)) (iota 4)
