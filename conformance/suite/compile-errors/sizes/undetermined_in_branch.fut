-- The unknown size of one branch is no size of the other, so nothing determines that. 0.25.32 rejects it too.
-- ==
-- error: ^[^0]*E0403. Error: Nothing determines the size "n"
def all [n] (x: i64) : [n]i64 = replicate n x
entry main (xs: []i64) (b: bool) =
  length (if b then (let ys = filter (> 0) xs in map2 (+) ys (all 1)) else all 1)
