-- The size of what a block returns is made of one that is known only after the block: `ys` has the size n, as it is zipped with n numbers. By hand:
-- [1, 1] and [0, 1] behind it, which has the length 2 + max 2 2 = 4. 0.25.32 accepts it.
-- ==
-- input { 2i64 } output { [1i64, 1] [1i64, 1, 0, 1] }
def all [n] (x: i64) : [n]i64 = replicate n x
entry main (n: i64) =
  let ys = all 1
  let zs = (let k = i64.max n 2 in ys ++ iota k)
  in (map (.0) (zip ys (iota n)), zs)

-- Of a sum of which a part came up inside, it is known that it is one. 2 of the 4 are positive.
-- ==
-- entry: sum_of_unknown
-- input { [1i64, -2i64, 3i64, -4i64] } output { 4i64 2i64 3i64 }
def two_parts [n] [m] 't (_: [n + m]t) = (n, m)
entry sum_of_unknown (xs: []i64) =
  let (n, m) = two_parts (let more = filter (> 0) xs in xs ++ more)
  let (_, k) = two_parts (let fewer = map (* 2) xs[1:] in [7] ++ fewer)
  in (n, m, k)
