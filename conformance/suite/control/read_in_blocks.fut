-- What a side of a branch or a round of a loop has read from the device, or made there, is read or made again behind it. Outputs of Futhark 0.25.32.

-- The sum decides in each round, and again behind the loop.
-- ==
-- entry: again
-- input { [1i64, 2i64, 9i64] 2i64 } output { [16i64, 17i64, 18i64] }
-- input { [1i64, 1i64] 2i64 } output { [4i64, 5i64, 6i64, 7i64, 8i64] }
entry again (xs: []i64) (k: i64): []i64 =
  let b = i64.sum xs > 3
  let ys = loop ys = iota 5 for _i < k do (if b then map (+ 1) (filter (> 1) ys) else map (+ 2) ys)
  in if b then map (+ i64.sum xs) (filter (> 3) ys) else ys

-- It decides on both sides of another branch, and behind that.
-- ==
-- entry: on_sides
-- input { [1i64, 2i64, 9i64] 2i64 } output { [2i64, 3i64, 10i64, 1i64, 2i64, 9i64] }
-- input { [1i64, 2i64, 9i64] 1i64 } output { [3i64, 4i64, 11i64, 3i64, 1i64, 2i64, 9i64] }
entry on_sides (xs: []i64) (k: i64): []i64 =
  let b = i64.sum xs > 3
  let ys = if k > 1 then map (+ 1) (if b then xs else reverse xs) else map (+ 2) (if b then xs ++ [1] else map (* 2) xs)
  in if b then ys ++ xs else reverse ys

-- How large a row may be is found before the sum, which is computed in one of several ways.
-- ==
-- entry: sums
-- input { [4i64, 2i64] } output { 76i64 }
-- input { [1i64] } output { 0i64 }
entry sums (ns: []i64): i64 =
  i64.sum (map (\n -> let s = loop xs = iota n for i < n do scan (+) 0 (map (+ i) xs) in s[n - 1]) ns)

-- A reversed array is made on a side, and elsewhere again.
-- ==
-- entry: turned
-- input { 0i64 } output { [1i64, 2i64, 4i64] }
-- input { 1i64 } output { [9i64, 6i64, 8i64] }
-- input { 3i64 } output { [56i64, 57i64, 64i64] }
-- input { 6i64 } output { [721i64, 736i64, 730i64] }
entry turned (rounds: i64): [3]i64 =
  let (_, xs) =
    loop (ks, xs: [3]i64) = (replicate 2 0i64, [1, 2, 4])
    while i64.sum ks < 2 * rounds do
      let back = reverse xs
      let ys = if xs[0] % 2 == 0 then back else map (+ 1) xs
      let zs = if xs[1] % 3 == 0 then map (* 2) ys else back
      let us = if xs[2] % 5 == 1 then back else map (+ 3) zs
      in (map (+ 1) ks, map2 (\a b -> (a + b) % 1000) us (map (\i -> back[(i + xs[0]) % 3]) (iota 3)))
  in xs
