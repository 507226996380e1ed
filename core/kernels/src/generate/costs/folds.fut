-- What these programs launch is in folds.txt, for the arguments behind `of`.

-- of 100i64
-- of 70000i64
entry mapped (n: i64) = map (\i -> i * i + 1) (iota n)

-- of 100i64
-- of 70000i64
entry summed (n: i64) = i64.sum (map (\i -> i * i % 7) (iota n))

-- of 100i64
-- of 70000i64
entry not_commutative (n: i64) = reduce (\(a, b) (c, d) -> (a * c % 97, (b * c + d) % 97)) (1, 0) (map (\i -> (i % 3, i)) (iota n))

-- of 100i64
-- of 70000i64
entry scanned (n: i64) = scan (+) 0 (map (% 5) (iota n))

-- of 100i64
-- of 70000i64
entry scanned_and_mapped (n: i64) = map2 (+) (iota n) (scan (+) 0 (iota n))

-- of 1000i64
entry scanned_arrays (n: i64) = scan (map2 (+)) (replicate 3 0) (map (\i -> [i, i + 1, i % 2]) (iota n))

-- of 500i64
entry kept (n: i64) = filter (\i -> i % 3 == 0) (iota n)

-- of 500i64
entry parted (n: i64) = partition (\i -> i % 3 == 0) (iota n)

-- of 1i64 1i64
-- of 0i64 5i64
entry few (n: i64) (m: i64) = map (\i -> map (+ i) (iota m)) (iota n)
