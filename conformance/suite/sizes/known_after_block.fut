-- The size of what a block returns is made of one that is known only after the block: `ys` has the size n, as it is zipped with n numbers. By hand:
-- [1, 1] and [0, 1] behind it, which has the length 2 + max 2 2 = 4. 0.25.32 accepts it.
-- ==
-- input { 2i64 } output { [1i64, 1] [1i64, 1, 0, 1] }
def all [n] (x: i64) : [n]i64 = replicate n x
entry main (n: i64) =
  let ys = all 1
  let zs = (let k = i64.max n 2 in ys ++ iota k)
  in (map (.0) (zip ys (iota n)), zs)
