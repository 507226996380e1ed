-- Two arrays of one size.
-- ==
-- input { [1, 2] [3, 4] }  output { [4, 6] }
-- input { [1, 2] [3, 4, 5] } error: .*
entry main [n] (xs: [n]i32) (ys: [n]i32): [n]i32 = map2 (+) xs ys
