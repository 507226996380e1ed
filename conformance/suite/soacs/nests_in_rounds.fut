-- Nests in branches and rounds, and of matrices: what is parallel inside of them. The results are Futhark's.
-- ==
-- entry: sides
-- input { 5i64 }
-- output { [0i64, 2i64, 4i64, 6i64, 8i64]
-- [4i64, 5i64, 6i64, 7i64, 8i64, 9i64, 10i64, 11i64, 12i64, 13i64, 14i64, 15i64, 16i64, 17i64, 18i64, 19i64, 20i64, 21i64, 22i64, 23i64, 24i64, 25i64, 26i64, 27i64, 28i64, 29i64, 30i64, 31i64, 32i64, 33i64, 34i64, 35i64, 36i64, 37i64, 38i64, 39i64, 40i64, 41i64, 42i64, 43i64] }
entry sides (n: i64) =
  if n > 100
  then (map (+ 1) (iota n), reduce (map2 (+)) (replicate 40 0) (tabulate_2d n 40 (\i j -> i * j)))
  else (map (* 2) (iota n), reduce (map2 i64.max) (replicate 40 0) (tabulate_2d n 40 (\i j -> i + j)))

-- ==
-- entry: two_versions
-- input { 5i64 }
-- output { [0i64, 0i64, 6i64, 33i64, 105i64]
-- [661i64, 661i64, 667i64, 688i64, 733i64] }
entry two_versions (n: i64) =
  let xs = map (\i -> i64.sum (map (* i) (iota i))) (iota n)
  let (ys, s) = (map (* 3) xs, i64.sum (map (\x -> x * x) xs))
  let (zs, ws) = (scan (+) 0 ys, map (+ s) ys)
  in (zs, ws)

-- ==
-- entry: many_rounds
-- input { 5i64 }
-- output { [4950i64, 4950i64, 5050i64, 5250i64, 5550i64] }
entry many_rounds (n: i64) =
  map (\i -> let xs = loop xs = iota 100 for k < i do map (+ k) xs
             in i64.sum xs) (iota n)

-- ==
-- entry: scalar_loop
-- input { 5i64 }
-- output { [0i64, 8349771034813729162i64, 3456671603141453971i64, -3727631223662830431i64, -160221206487084758i64] }
entry scalar_loop (n: i64) =
  map (\i -> let y = loop x = i for k < 10 do x * x + k
             in i64.sum (map (+ y) (iota i))) (iota n)

-- ==
-- entry: one_side
-- input { 5i64 }
-- output { [0i64, 295i64, 2i64, 297i64, 4i64] }
entry one_side (n: i64) =
  map (\i -> if i % 2 == 0 then i else i64.sum (map (\x -> x * i % 7) (iota 100))) (iota n)

-- ==
-- entry: matrices
-- input { 5i64 }
-- output { 41000i64 }
entry matrices (n: i64) =
  i64.sum (flatten (reduce (map2 (map2 (+))) (replicate 40 (replicate n 0)) (tabulate_3d n 40 n (\i j k -> i * j + k))))

-- ==
-- entry: square
-- input { 5i64 }
-- output { [0i64, 2i64, 12i64, 36i64, 80i64] }
entry square (n: i64) =
  map (\i -> i64.sum (map (\xs -> i64.sum xs) (replicate i (replicate (i + 1) i)))) (iota n)

-- ==
-- entry: scans_in_rounds
-- input { 5i64 }
-- output { [365i64, 428i64, 413i64, 389i64, 401i64] }
entry scans_in_rounds (n: i64) =
  map i64.sum <| map (\i -> let xs = loop xs = map (+ i) (iota 100) for k < 5 do map (\x -> (x + k) % 10) (scan (+) 0 xs)
             let ys = if i > 3 then map (* 2) (scan i64.max 0 xs) else xs
             in loop ys for k < i do map (\y -> (y + k) % 9) (scan (+) 0 ys)) (iota n)
