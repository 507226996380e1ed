-- Sizes of parameters that are computed (0.25.32 gives the same results). By hand: [1,2,3,4] ++ [5,6]; [1,2] + [5,6] is [6,8].
-- ==
-- entry: both
-- input { [1, 2, 3, 4] [5, 6] } output { [1, 2, 3, 4, 5, 6] [6, 8] }
-- input { empty([0]i32) empty([0]i32) } output { empty([0]i32) empty([0]i32) }
-- input { [1, 2, 3] [5, 6] } error: .*

-- ==
-- entry: total
-- input { 2i64 [5, 6, 7] } output { 18 }
-- input { 3i64 [5, 6, 7] } error: .*

-- ==
-- entry: replaced
-- input { [5, 6, 7] [true, false] } output { [9, 6, 7] }
-- input { [5, 6] [true, false] } error: .*

-- ==
-- entry: transposed
-- input { 2i64 3i64 [1, 2, 3, 4, 5, 6] } output { [[1, 4], [2, 5], [3, 6]] }
def summed [n] (xs: [2 * n]i32) (ys: [n]i32): [n]i32 = map2 (+) (take n xs) ys

entry both [n] (xs: [n * 2]i32) (ys: [n]i32) = (xs ++ ys, summed (xs :> [2 * n]i32) ys)

entry total (n: i64) (xs: [n + 1]i32) = i32.sum xs

entry replaced [n] (xs: *[n + 1]i32) (_: [n]bool): *[n + 1]i32 = xs with [0] = 9

entry transposed (n: i64) (m: i64) (xs: [n * m]i32) = transpose (unflatten xs)

-- Long expressions are sizes too, of operators of every kind, and what is passed to a function stands for its parameter in them. By hand.
-- ==
-- entry: long
-- input { 2i64 [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18] } output { 171 }
-- input { 2i64 [1, 2] } error: .*
def total_of_sum (n: i64) (k: i64) (xs: [n + k + k + k + k + k + k + k + k + k + k + k + k + k + k + k + k]i32): i32 = i32.sum xs
def same_remainder (n: i64) (xs: [n % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9]i32):
  [n % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9]i32 = xs

entry long (n: i64) (xs: []i32) =
  total_of_sum n 1 (xs :> [n + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1]i32)
