-- What these programs launch is in costs.txt, for the arguments behind `of`.

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

-- of 40i64 50i64
-- of 3i64 5000i64
-- of 5000i64 3i64
entry rows_summed (n: i64) (m: i64) = map (\i -> i64.sum (map (* i) (iota m))) (iota n)

-- of 40i64 50i64
-- of 5000i64 3i64
entry columns_summed (n: i64) (m: i64) = reduce (map2 (+)) (replicate m 0) (map (\i -> map (+ i) (iota m)) (iota n))

-- of 40i64 50i64
-- of 3i64 5000i64
entry rows_scanned (n: i64) (m: i64) = map (\i -> scan (+) 0 (map (+ i) (iota m))) (iota n)

-- of 6i64 7i64
entry multiplied (n: i64) (m: i64) =
  let a = map (\i -> map (+ i) (iota m)) (iota n)
  in map (\r -> map (\c -> i64.sum (map2 (*) r c)) a) a

-- of 30i64 40i64
entry transposed (n: i64) (m: i64) = transpose (map (\i -> map (* i) (iota m)) (iota n))

-- of 30i64 40i64
entry transposed_and_summed (n: i64) (m: i64) = map i64.sum (transpose (map (\i -> map (* i) (iota m)) (iota n)))

-- of [1i64, 20i64, 300i64, 4000i64]
entry turned [n] (xs: [n]i64) = (reverse xs, rotate 1 xs, xs[1:3], reverse (rotate 2 xs) ++ xs)

-- of [1i64, 20i64, 300i64, 4000i64, 7i64]
entry cut [n] (xs: [n]i64) = map2 (+) (take 2 xs) (xs[3:n] :> [2]i64)

-- of [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]]
entry reshaped [n] [m] (xs: [n][m]i64) = (flatten xs, unflatten (flatten (transpose xs) :> [2 * 3]i64))

-- of 7i64 [1i64, 2i64, 3i64, 4i64]
entry replaced [n] (k: i64) (xs: *[n]i64) = xs with [1] = k

-- of 7i64 [1i64, 2i64, 3i64, 4i64]
entry replaced_part [n] (k: i64) (xs: *[n]i64) = xs with [1:3] = map (+ k) (copy xs[0:2])

-- of 7i64 [1i64, 2i64, 3i64, 4i64]
entry replaced_and_kept [n] (k: i64) (xs: [n]i64) = (copy xs with [1] = k, map (+ 1) xs)

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

-- of 100i64 5i64
entry rounds (n: i64) (k: i64) = loop xs = iota n for i < k do map (+ i) xs

-- of 100i64 5i64
entry rounds_in_place (n: i64) (k: i64) = loop xs = iota n for i < k do xs with [i] = xs[i] * 2

-- of 100i64 50i64
entry rounds_while (n: i64) (k: i64) = loop (xs, s) = (iota n, 0) while s < k do let xs = map (+ 1) xs in (xs, s + xs[0])

-- of 100i64 50000i64
entry rounds_while_summed (n: i64) (k: i64) = (loop xs = iota n while i64.sum xs < k do map (+ 1) xs)[0]

-- of 100i64 5i64
entry rounds_swapped (n: i64) (k: i64) = loop (xs, ys) = (iota n, replicate n 1) for _i < k do (ys, map2 (+) xs ys)

-- of 5i64 3i64
entry rounds_growing (n: i64) (k: i64) = loop xs = iota n for i < k do xs ++ map (+ i) xs

-- of 100i64 3i64
-- of 100i64 -3i64
entry chosen (n: i64) (k: i64) = if k > 0 then map (+ k) (iota n) else reverse (iota n)

-- of 100i64 3i64
entry chosen_each (n: i64) (k: i64) = map (\i -> if i % k == 0 then i64.sum (map (* i) (iota k)) else i) (iota n)

-- of 3i64 40i64
entry rounds_in_rows (n: i64) (m: i64) = map (\i -> loop x = map (+ i) (iota m) for _k < 3 do let s = i64.sum x in map (+ s) x) (iota n)

-- of 3i64 40i64
entry rounds_in_rows_summed (n: i64) (m: i64) = map (\i -> i64.sum (loop x = map (+ i) (iota m) for _k < 3 do scan (+) 0 x)) (iota n)

-- of 3i64 40i64
entry rounds_in_rows_replaced (n: i64) (m: i64) = map (\i -> loop x = map (+ i) (iota m) for k < 3 do let x = x with [k] = x[k + 1] in map (+ k) x) (iota n)

-- of 3000i64 3i64
entry little_rows (n: i64) (m: i64) = map (\i -> (loop x = map (+ i) (iota m) for _k < 3 do scan (+) 0 x)[0]) (iota n)

-- of 40i64
entry triangle (n: i64) = map (\i -> i64.sum (iota i)) (iota n)

-- of 40i64
entry triangle_kept (n: i64) = map (\i -> length (filter (\j -> j % 2 == 0) (iota i))) (iota n)

-- of 200i64
entry gradient (n: i64) = vjp (\xs -> f64.sum (map2 (*) xs (scan (+) 0 xs))) (map f64.i64 (iota n)) 1

-- of 20i64 30i64
entry gradient_of_rows (n: i64) (m: i64) =
  vjp (\w -> f64.sum (map (\i -> f64.tanh (f64.sum (map (\j -> w[j] * f64.i64 (i - j)) (iota m)))) (iota n))) (map f64.i64 (iota m)) 1

-- of 50i64
entry gradient_of_rounds (n: i64) = vjp (\xs -> f64.sum (loop xs = xs for _i < 3 do map (\x -> x * x) xs)) (map f64.i64 (iota n)) 1

-- of 300i64 10i64
entry gradient_of_counts (n: i64) (m: i64) =
  vjp (\xs -> f64.sum (map (\x -> x * x) (hist (+) 0 m (map (% m) (iota n)) xs))) (map f64.i64 (iota n)) 1

-- of 10i64
entry recursive (n: i64) = let f (k: i64) : []i64 = iota k in map2 (+) (f n :> [n]i64) (iota n)

-- of 1i64 1i64
-- of 0i64 5i64
entry few (n: i64) (m: i64) = map (\i -> map (+ i) (iota m)) (iota n)
