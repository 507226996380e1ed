-- What these programs launch is in rounds.txt, for the arguments behind `of`.

-- of 100i64 5i64
-- of 100i64 5i64 | whole_loops=1000000
-- of 100i64 500i64 | whole_loops=1000000 rounds=20000
entry rounds (n: i64) (k: i64) = loop xs = iota n for i < k do map (+ i) xs

-- of 100i64 5i64
entry rounds_in_place (n: i64) (k: i64) = loop xs = iota n for i < k do xs with [i] = xs[i] * 2

-- of 100i64 50i64
entry rounds_while (n: i64) (k: i64) = loop (xs, s) = (iota n, 0) while s < k do let xs = map (+ 1) xs in (xs, s + xs[0])

-- of 100i64 50000i64
entry rounds_while_summed (n: i64) (k: i64) = (loop xs = iota n while i64.sum xs < k do map (+ 1) xs)[0]

-- of 100i64 5i64
-- of 100i64 5i64 | whole_loops=1000000
entry rounds_swapped (n: i64) (k: i64) = loop (xs, ys) = (iota n, replicate n 1) for _i < k do (ys, map2 (+) xs ys)

-- of 5i64 3i64
entry rounds_growing (n: i64) (k: i64) = loop xs = iota n for i < k do xs ++ map (+ i) xs

-- of 100i64 3i64
-- of 100i64 -3i64
entry chosen (n: i64) (k: i64) = if k > 0 then map (+ k) (iota n) else reverse (iota n)

-- of 100i64 3i64
-- of 100i64 -3i64
entry chosen_sum (n: i64) (k: i64) = if k > 0 then i64.sum (map (+ k) (iota n)) else 0

-- of 10i64 20i64 5i64 | whole_loops=100
-- of 10i64 20i64 5i64 | whole_loops=1000
entry rounds_of_rows (n: i64) (m: i64) (k: i64) = loop xss = map (\i -> map (+ i) (iota m)) (iota n) for i < k do map (map (+ i)) xss
