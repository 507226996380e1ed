-- Loops of points that replace parts of what they carry: of twice as long rows they cost about twice as much, as they do by the source (costs_tests.rs). Each has 10 rounds at most.

entry elements (m: i64) =
  map (\s -> let (xs, _, t) = loop (xs, k, t) = (replicate m s, 0, 1) while k < 10 + s && t != 0 do
               let xs = xs with [k % m] = t + k
               in (xs, k + 1, i64.sum (map (% 10) xs))
             in xs[0] + t) (iota 3)

entry from_another (m: i64) =
  map (\s -> let (xs, ys, _, _) = loop (xs, ys, k, t) = (replicate m s, iota m, 0, 1) while k < 10 - s && t != 0 do
               let t = i64.sum (map (\j -> (j * t + k) % 10) (iota 50))
               let xs = xs with [k] = ys[(k + t) % m]
               in (xs, ys with [k] = t, k + 1, t)
             in i64.sum xs + i64.sum ys) (iota 3)

entry with_scratch (m: i64) =
  map (\s -> let (xs, _) = loop (xs, k) = (replicate m s, 0) while k < 10 - s do
               let ys = map (\j -> let t = loop t = replicate 3 0 for q < 3i64 do t with [(q + j) % 3] = xs[(j + q) % m] in t[0] + 2 * t[1]) (iota m)
               in (xs with [k % m] = i64.sum ys, k + 1)
             in i64.sum xs) (iota 3)

entry before (m: i64) =
  map (\s -> let (xs, _, t) = loop (xs, k, _) = (replicate m s, 0, 0) while k < 10 - s do
               let old = copy xs
               let xs = xs with [k % m] = k
               in (xs, k + 1, i64.sum (map2 (-) xs old))
             in i64.sum xs + t) (iota 3)

entry in_turns (m: i64) =
  map (\s -> let (xs, ys, _) = loop (xs, ys, k) = (replicate m s, iota m, s) while k < 10 do
               let xs = scatter xs (map (\j -> (j * 3 + k) % m) (iota m)) (map (+ k) ys)
               in (ys, xs, k + 1 + xs[0] % 2)
             in i64.sum (map2 (\x y -> x * 3 + y) xs ys)) (iota 3)

-- a round has work for 50 elements, however long a row is
entry if_need_be (m: i64) =
  map (\s -> let (xs, _, _) = loop (xs, k, t) = (replicate m s, 0, 1) while k < 100 - s && t != 0 do
               let t = i64.sum (map (\j -> (j * t + k) % 7) (iota 50))
               let xs = if t % 2 == 0 then xs with [k % m] = t else xs
               in (xs, k + 1, t)
             in i64.sum xs) (iota 3)
