-- What these programs launch is in rows.txt, for the arguments behind `of`.

-- of 40i64 50i64
-- of 3i64 5000i64
-- of 5000i64 3i64
entry rows_summed (n: i64) (m: i64) = map (\i -> i64.sum (map (* i) (iota m))) (iota n)

-- of 40i64 50i64
-- of 5000i64 3i64
-- of 50i64 32i64
-- of 50i64 31i64
-- of 289i64 32i64 | reduce_groups=72
entry columns_summed (n: i64) (m: i64) = reduce (map2 (+)) (replicate m 0) (map (\i -> map (+ i) (iota m)) (iota n))

-- of 40i64 50i64
-- of 3i64 5000i64
entry rows_scanned (n: i64) (m: i64) = map (\i -> scan (+) 0 (map (+ i) (iota m))) (iota n)

-- of 6i64 7i64
-- of 6i64 7i64 | enough=0
entry multiplied (n: i64) (m: i64) =
  let a = map (\i -> map (+ i) (iota m)) (iota n)
  in map (\r -> map (\c -> i64.sum (map2 (*) r c)) a) a

-- of 30i64 40i64
entry transposed (n: i64) (m: i64) = transpose (map (\i -> map (* i) (iota m)) (iota n))

-- of 30i64 40i64
entry transposed_and_summed (n: i64) (m: i64) = map i64.sum (transpose (map (\i -> map (* i) (iota m)) (iota n)))

-- of 40i64
entry rows_of_known_length (n: i64) = map (\i -> i64.sum (map (* i) (iota 50))) (iota n)
