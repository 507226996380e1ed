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

-- of 300i64 10i64
entry counted_bytes (n: i64) (m: i64) = hist (+) 0u8 m (map (% m) (iota n)) (map u8.i64 (iota n))

-- of 300i64 10i64
entry counted_words (n: i64) (m: i64) =
  hist (\(a, b) (c, d) -> (a * c, b * c + d)) (1i32, 0i32) m (map (% m) (iota n)) (map (\i -> (i32.i64 (i % 3), i32.i64 i)) (iota n))

-- of 100i64 10i64
entry counted_rows (n: i64) (m: i64) = hist (map2 (+)) (replicate 3 0i64) m (map (% m) (iota n)) (map (\i -> [i, i + 1, 1]) (iota n))

-- of 30i64 10i64
entry rows_scattered (n: i64) (m: i64) = map (\i -> scatter (replicate m 0i64) (map (\j -> (i + j) % (2 * m)) (iota n)) (iota n)) (iota 4)

-- of 30i64
entry little_rows_counted (n: i64) =
  map (\i -> hist (\(a, b) (c, d) -> (a * c, b * c + d)) (1i32, 0i32) 3 (map (\j -> (i + j) % 3) (iota 4)) (map (\j -> (i32.i64 j, i32.i64 i)) (iota 4))) (iota n)
