-- ==
-- input { [[1, 2, 3], [4, 5, 6]] }
-- output { [1, 2, 3, 4, 5, 6] 6i64 }
-- input { empty([2][0]i32) }
-- output { empty([0]i32) 0i64 }
entry main [n] [m] (xs: [n][m]i32): ([]i32, i64) =
  let ys = flatten xs
  in (ys, length ys)
