-- Loops whose conditions and branches depend on what is in memory: a device runs them without waiting for the host, which is rounds ahead of it. Results are those of the last round that there is.

-- Two rounds at most, in which the arrays change places: (0, 5), (5, 1), (1, 6), with sums 0, 15, 3 of the first.
-- ==
-- entry: places
-- input { 0i64 }  output { 0i64 [0i64, 0i64, 0i64] [5i64, 5i64, 5i64] }
-- input { 1i64 }  output { 1i64 [5i64, 5i64, 5i64] [1i64, 1i64, 1i64] }
-- input { 16i64 } output { 2i64 [1i64, 1i64, 1i64] [6i64, 6i64, 6i64] }
entry places (bound: i64): (i64, [3]i64, [3]i64) =
  loop (k, a: [3]i64, b: [3]i64) = (0, replicate 3 0i64, replicate 3 5i64)
  while k < 2 && i64.sum a < bound do (k + 1, copy b, map (+ 1) a)

-- 100, 50, 25, 12, 6, 3, 1: halves until all are below 2. The greatest decides.
-- ==
-- entry: halves
-- input { [100i32, 7i32] } output { 6i32 [1i32, 0i32] }
-- input { [1i32, 0i32] }   output { 0i32 [1i32, 0i32] }
-- input { [3i32] }         output { 1i32 [1i32] }
entry halves [n] (xs: [n]i32): (i32, [n]i32) =
  loop (k, xs: [n]i32) = (0, xs) while i32.maximum xs >= 2 do (k + 1, map (/ 2) xs)

-- In each round the element whose index is the round modulo 3 is set to the sum, by a scatter; the sums are 3, then 3 + 2 = 5 (3 for a 1), 5 + 4 = 9, 9 + 8 = 17, and then 17 for the 3 that
-- was the first.
-- ==
-- entry: scatters
-- input { 4i64 }  output { [3i64, 1i64, 1i64] }
-- input { 10i64 } output { [3i64, 5i64, 9i64] }
-- input { 18i64 } output { [17i64, 5i64, 9i64] }
entry scatters (bound: i64): [3]i64 =
  let (_, xs) =
    loop (k, xs) = (0i64, replicate 3 1i64)
    while i64.sum xs < bound do
      let s = i64.sum xs
      in (k + 1, scatter (copy xs) [k % 3] [s])
  in xs

-- What a branch on an element gives: another array, the same, or one that is changed in place; branches in branches. From [0, 0]: +1 on both where the first is even (1, 1), doubled if odd (2, 2),
-- (3, 3), (6, 6), (7, 7), (14, 14); and at 14 and more the second alone is set to 0.
-- ==
-- entry: branches
-- input { 1i64 } output { [1i64, 1i64] }
-- input { 2i64 } output { [2i64, 2i64] }
-- input { 5i64 } output { [7i64, 7i64] }
-- input { 6i64 } output { [14i64, 14i64] }
-- input { 7i64 } output { [15i64, 0i64] }
entry branches (rounds: i64): [2]i64 =
  let (_, xs) =
    loop (ks, xs) = (replicate 2 0i64, replicate 2 0i64)
    while i64.sum ks < 2 * rounds do
      let ys =
        if xs[0] % 2 == 0
        then let up = map (+ 1) xs
             in if xs[1] >= 14 then copy up with [1] = 0 else up
        else map (* 2) xs
      in (map (+ 1) ks, ys)
  in xs

-- What is an array turned round, and a side gives as it is, is read behind the branch as well. [1, 2, 4] is odd at first: twice [4, 2, 1]; [8, 4, 2] is even: [9, 5, 3] + [2, 4, 8]; and so on.
-- ==
-- entry: views
-- input { 0i64 } output { [1i64, 2i64, 4i64] }
-- input { 1i64 } output { [8i64, 4i64, 2i64] }
-- input { 2i64 } output { [11i64, 9i64, 11i64] }
-- input { 4i64 } output { [45i64, 37i64, 45i64] }
entry views (rounds: i64): [3]i64 =
  let (_, xs) =
    loop (ks, xs: [3]i64) = (replicate 2 0i64, [1, 2, 4])
    while i64.sum ks < 2 * rounds do
      let back = reverse xs
      let ys = if xs[0] % 2 == 0 then map (+ 1) xs else back
      in (map (+ 1) ks, map2 (+) ys back)
  in xs

-- A scalar that a branch gives, and an array that one side of it leaves as it is: the product of (1 + k) for the rounds k in which it is below the bound.
-- ==
-- entry: scalars
-- input { 10i64 } output { 24i64 [4i64] }
-- input { 1i64 }  output { 1i64 [0i64] }
entry scalars (bound: i64): (i64, [1]i64) =
  let (p, ks, _) =
    loop (p, ks, go) = (1i64, replicate 1 0i64, [true])
    while and go do
      let (q, ks') = if p < bound then (p * (i64.sum ks + 1), map (+ 1) ks) else (p, ks)
      in (q, ks', map (\_ -> p < bound) go)
  in (p, ks)

-- The host's index is beyond the array in a round that there is only if the sum, which grows by xs[0], xs[1], ..., is still below the bound.
-- ==
-- entry: checked
-- input { [[1i64, 1i64], [2i64, 2i64]] 6i64 } output { 2i64 }
-- input { [[1i64, 1i64], [2i64, 2i64]] 7i64 } error: out of bounds
entry checked [n] (xs: [n][2]i64) (bound: i64): i64 =
  let (k, _) = loop (k, s) = (0i64, [0i64, 0i64]) while i64.sum s < bound do (k + 1, map2 (+) s xs[k])
  in k

-- A division by zero in the round in which there is a 70, and in none if the bound is below that.
-- ==
-- entry: fails
-- input { 60i64 }  output { 60i64 }
-- input { 71i64 }  error: division by zero
entry fails (bound: i64): i64 =
  i64.sum (loop xs = [0i64, 0i64] while i64.sum xs < 2 * bound do map (\x -> x + 1 + 0 / (70 - x)) xs) / 2

-- Rounds that are known, with a branch in each that is not: what is added is 1 to 5, and the sum is set back to 0 when it is beyond the bound. 1, 3, 6 -> 0, 4, 9 -> 0 for a bound of 5.
-- ==
-- entry: known
-- input { 5i64 }   output { [0i64, 0i64] }
-- input { 100i64 } output { [15i64, 15i64] }
entry known (bound: i64): [2]i64 =
  loop xs: [2]i64 = [0i64, 0i64] for i < 5 do
    let ys = map (+ (i + 1)) xs
    in if i64.maximum ys > bound then replicate 2 0 else ys

-- Loops in loops: 2, 4, 8, ... up to the bound, in each of 3 rounds of another one that begins with what that has left, less 7 in each element.
-- 1 -> 16 -> 9 -> 18 -> 11 -> 11 -> 4, for a bound of 10.
-- ==
-- entry: nested
-- input { 10i64 } output { [4i64, 4i64] }
entry nested (bound: i64): [2]i64 =
  let (_, xs) =
    loop (ks, xs) = ([0i64], [1i64, 1i64])
    while i64.sum ks < 3 do
      let ys = loop ys = xs while i64.maximum ys < bound do map (* 2) ys
      in (map (+ 1) ks, map (\y -> y - 7) ys)
  in xs
