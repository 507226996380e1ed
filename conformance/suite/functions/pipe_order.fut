-- The function of a pipe from the right is evaluated before its argument, which may need a size that it computes (0.25.32 accepts it).
-- ==
-- entry: main
-- input { [1i64, -1i64, 2i64] } output { [1i64, 2i64] [1i64, 1i64] }
def ones [n]: [n]i64 = replicate n 1
entry main (xs: []i64) = unzip (zip (filter (> 0) xs) <| copy ones)
