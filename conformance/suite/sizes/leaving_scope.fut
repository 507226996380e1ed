-- Sizes with names that leave their scope (0.25.32 accepts these; by hand).

-- What a pattern takes apart is no name outside of the function: its size is unknown, that of the array is not.
def first (n: i64, _b: bool) (k: i64) = (iota n, k)
def only (n: i64, _b: bool) = iota n
-- ==
-- entry: of_patterns
-- input { 3i64 } output { 3i64 2i64 }
entry of_patterns (k: i64) = let (xs, _) = first (k, true) 5 in (length xs, length (only (k - 1, false)))

-- A name that `let` gives to a size stands for it.
def next (n: i64) : [n + 1]i64 = let m = n + 1 in iota m
def twice (n: i64) : [(n + 1) * 2]i64 = let m = n + 1 let k = m * 2 in iota k
-- ==
-- entry: named
-- input { 2i64 } output { [0i64, 1i64, 2i64] 6i64 }
entry named (n: i64) = (next n, length (twice n))

-- One size is made of another that stays only if all its names stay.
def parts (n: i64, m: i64) = (iota n, iota (n + m))
-- ==
-- entry: of_two_names
-- input { 2i64 3i64 } output { 2i64 5i64 }
entry of_two_names (n: i64) (m: i64) = let (xs, ys) = parts (n, m) in (length xs, length ys)

-- `n + 1` is one more than n, also where nobody knows what n is, and wherever n stands in the type.
def longer_first (n: i64, _b: bool) = (iota (n + 1), iota n)
def longer_of_function (n: i64, _b: bool) = (\(_: i64) -> iota (n + 1), iota n)
-- ==
-- entry: one_more
-- input { 2i64 } output { [0i64, 1i64, 9i64] [0i64, 1i64, 2i64] [0i64, 1i64, 8i64] [0i64, 1i64, 2i64] }
entry one_more (n: i64) =
  let (ys, xs) = longer_first (n, true)
  let (f, zs) = longer_of_function (n, false)
  let (a, b) = unzip (zip (xs ++ [9]) ys)
  let (c, d) = unzip (zip (zs ++ [8]) (f 1))
  in (a, b, c, d)

-- The size of what a match returns may be a name of its pattern.
-- ==
-- entry: of_match
-- input { 2i64 } output { 2i64 }
entry of_match (k: i64) = length (match (k, true) case (n, _) -> iota n)

-- The parameter of a local function, which declares no type, may have any size known before it.
-- ==
-- entry: of_local_function
-- input { 2i64 } output { 3i64 }
entry of_local_function (k: i64) =
  let (n, _) = (k + 1, true)
  let same x = x
  let ys = same (iota n)
  in length ys
