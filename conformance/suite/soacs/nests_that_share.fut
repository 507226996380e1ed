-- Arrays that change places in rounds, rows that are updated, SOACs in parts and operators of each point's own, in nests that are made for all points at once. The results are Futhark's.
-- ==
-- entry: three_deep
-- input { 5i64 }
-- output { [0i64, 0i64, 2340i64, 7020i64, 14820i64] }
entry three_deep (n: i64) =
  map i64.sum <| map (\i -> map (\j -> let xs = map (* j) (iota i)
                        let ys = scan (+) 0 xs
                        in i64.sum ys + (if i > 0 then ys[i - 1] else 0) + i64.maximum xs) (iota 40)) (iota n)

-- ==
-- entry: own_operator
-- input { 5i64 }
-- output { [0i64, 1i64, 3i64, 6i64, 4i64] }
entry own_operator (n: i64) =
  map (\i -> reduce (\a b -> (a + b) % (i + 2)) 0 (iota i) + reduce (\a b -> a + b - i) i (map (* 2) (iota (i + 1)))) (iota n)

-- ==
-- entry: updated
-- input { 5i64 }
-- output { [0i64, 1i64, 5i64, 12i64, 19i64] }
entry updated (n: i64) =
  map (\i -> let xs = map (+ i) (iota 100)
             let xs = xs with [3] = i
             in i64.sum (map (\k -> xs[k % 100]) (iota i))) (iota n)

-- ==
-- entry: rows_updated
-- input { 5i64 }
-- output { [11900i64, 13300i64, 14700i64, 16100i64, 17500i64] }
entry rows_updated (n: i64) =
  map (i64.sum <-< flatten) <| map (\i -> loop a = replicate 40 (replicate 40 i) for k < 5 do
               let r = map (+ k) (iota 40)
               let a = copy a with [k] = r
               in map (map (+ 1)) a) (iota n)

-- ==
-- entry: swapped
-- input { 5i64 }
-- output { [1327i64, 1375i64, 1425i64, 1475i64, 1525i64]
--          [200i64, 1425i64, 2650i64, 3875i64, 5100i64]
--          [0i64, 0i64, 0i64, 0i64, 0i64]
--          [9i64, 0i64, 0i64, 0i64, 0i64] }
entry swapped (n: i64) =
  let (as, bs, cs, ds) = unzip4 <| map (\i -> let (a, b) = loop (a: [50]i64, b: [50]i64) = (map (+ i) (iota 50), map (* i) (iota 50)) for k < 4 do (b, map (+ k) a)
             let (c, d) = loop (c: [50]i64, d: [50]i64) = (a, b) for k < 4 do let e = map (* k) c in (e, e)
             in (a, b, c, d)) (iota n)
  -- what is changed in one array is not in another one
  let as = copy as with [0, 3] = 7
  let ds = copy ds with [0, 4] = 9
  in (map i64.sum as, map i64.sum bs, map i64.sum cs, map i64.sum ds)

-- ==
-- entry: in_rounds
-- input { 5i64 }
-- output { [126i64, 132i64, 100i64, 100i64, 100i64]
--          [1723i64, 1911i64, 2067i64, 150i64, 200i64] }
entry in_rounds (n: i64) =
  unzip <| map (\(ws, v) -> (i64.sum ws, v)) <| map (\i -> let (xs, t) = loop (xs: [50]i64, t) = (map (+ i) (iota 50), 0) for k < 4 do
                 let ys = scan (+) 0 xs in (map (% 9) ys, t + i64.sum xs)
             let (zs, u) = loop (zs: [50]i64, u) = (xs, t) for k < i do
                 let ys = scan i64.max 0 zs in (map (% 7) ys, u + i64.sum zs)
             let (ws, v) = if u % 2 == 0 then let ys = scan (+) 0 zs in (map (% 5) ys, i64.sum zs) else (zs, u)
             in (ws, v)) (iota n)

-- ==
-- entry: inside_maps
-- input { 5i64 }
-- output { [322700i64, 326700i64, 330700i64, 334700i64, 338700i64] }
entry inside_maps (n: i64) =
  map (\i -> let (cs, ds) = unzip (map (\j -> loop (c: [40]i64, d: [40]i64) = (map (+ j) (iota 40), map (* j) (iota 40)) for k < 3 do (d, map (+ k) c)) (iota 3))
             let es = copy cs with [0] = map (+ i) (iota 40)
             in i64.sum (map i64.sum es) * 100 + i64.sum (map i64.sum ds)) (iota n)
