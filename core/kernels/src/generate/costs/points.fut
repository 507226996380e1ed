-- What these programs launch is in points.txt, for the arguments behind `of`.

-- of 3i64 40i64
-- of 3i64 40i64 | enough=0
entry rounds_in_rows (n: i64) (m: i64) = map (\i -> loop x = map (+ i) (iota m) for _k < 3 do let s = i64.sum x in map (+ s) x) (iota n)

-- of 3i64 40i64
entry rounds_in_rows_summed (n: i64) (m: i64) = map (\i -> i64.sum (loop x = map (+ i) (iota m) for _k < 3 do scan (+) 0 x)) (iota n)

-- of 3i64 40i64
-- of 3i64 40i64 | enough=0
entry rounds_in_rows_replaced (n: i64) (m: i64) = map (\i -> loop x = map (+ i) (iota m) for k < 3 do let x = x with [k] = x[k + 1] in map (+ k) x) (iota n)

-- of 3000i64 3i64
entry little_rows (n: i64) (m: i64) = map (\i -> (loop x = map (+ i) (iota m) for _k < 3 do scan (+) 0 x)[0]) (iota n)

-- of 100i64 3i64
-- of 100i64 3i64 | enough=0
entry chosen_each (n: i64) (k: i64) = map (\i -> if i % k == 0 then i64.sum (map (* i) (iota k)) else i) (iota n)

-- of 40i64
-- of 40i64 | enough=0
entry triangle (n: i64) = map (\i -> i64.sum (iota i)) (iota n)

-- of 40i64
entry triangle_kept (n: i64) = map (\i -> length (filter (\j -> j % 2 == 0) (iota i))) (iota n)

-- of 10i64
entry recursive (n: i64) = let f (k: i64) : []i64 = iota k in map2 (+) (f n :> [n]i64) (iota n)

-- of 20i64 6i64
-- of 20i64 6i64 | scratch_bytes=400
entry own_array (n: i64) (m: i64) = map (\i -> (loop x = replicate 6 i for k < m do x with [k] = x[(k + 1) % 6] + k)[2]) (iota n)

-- of 20i64 6i64
entry own_branch (n: i64) (m: i64) = map (\i -> (if i % 2 == 0 then copy (iota 6) with [i % 6] = i else replicate 6 i with [0] = m)[3]) (iota n)
