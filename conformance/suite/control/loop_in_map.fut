-- Each element with its own number of rounds: Collatz, 6 -> 3 -> 10 -> 5, and 7 -> 22.
-- ==
-- input { [6, 7, 9] [3, 1, 0] }
-- output { [5, 22, 9] }
entry main [n] (xs: [n]i32) (rounds: [n]i32): [n]i32 =
  map2 (\x k -> loop x for _i < k do if x % 2 == 0 then x / 2 else 3 * x + 1) xs rounds
