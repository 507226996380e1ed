-- Arrays that a point has for itself, in branches and loops: what a loop begins with, and what a branch did not give, is as it was afterwards.

-- With x = 1: a = [1, 2, 3], b = 4 * a = [4, 8, 12], and 100 * 3 + 12. With x = 2: a = [2, 3, 4], b = [8, 12, 16], and 416.
-- ==
-- entry: start_is_kept
-- input { [1i64, 0i64, 2i64] } output { [312i64, 0i64, 416i64] }
entry start_is_kept [n] (xs: [n]i64) : [n]i64 =
  map (\x ->
         -- in a branch, all of it is done at the point
         if x == 0
         then 0
         else let a = map (+ x) (iota 3)
              let b = loop b = a for _i < 2 do map (* 2) b
              in 100 * a[2] + b[2])
      xs

-- With x = 1: a = [1, 2, 3], b = [0, 1, 2]; c is b, and 0 + 10 * 2 + 100 * 3 + 1000 * 2. With x = 3: a = [3, 4, 5], b = [0, 3, 6]; c is a: 3 + 50 + 500 + 6000.
-- ==
-- entry: one_of_two
-- input { [1i64, 3i64] } output { [2320i64, 6553i64] }
entry one_of_two [n] (xs: [n]i64) : [n]i64 =
  map (\x ->
         let a = map (+ x) (iota 3)
         let b = map (* x) (iota 3)
         let c = if x > 2 then a else b
         in c[0] + 10 * c[2] + 100 * a[2] + 1000 * b[2])
      xs

-- The condition is another one in each round: with x = 1, [1, 2, 3] turned round once is [3, 2, 1], then the sums from the left are [3, 5, 6], which turned round begin with 6. With x = 2: [2, 3, 4],
-- [4, 3, 2], [4, 7, 9], [9, 7, 4].
-- ==
-- entry: by_turns
-- input { [1i64, 2i64] } output { [6i64, 9i64] }
entry by_turns [n] (xs: [n]i64) : [n]i64 =
  map (\x ->
         let a = map (+ x) (iota 3)
         let b = loop b = a for i < 3 do if i == 1 then scan (+) 0 b else reverse b
         in b[0])
      xs

-- What a branch makes is twice its result: with x = 1, [1, 2, 3] + [2, 4, 6] at the end is 9; with x = 3, (3 + 2) * 2.
-- ==
-- entry: made_once
-- input { [1i64, 3i64] } output { [9i64, 10i64] }
entry made_once [n] (xs: [n]i64) : [n]i64 =
  map (\x ->
         let (c, d) = if x > 2
                      then let e = map (+ x) (iota 3) in (e, e)
                      else (map (+ x) (iota 3), map (\i -> 2 * (i + x)) (iota 3))
         in c[2] + d[2])
      xs
