-- ==
-- input { [1, 2, 3] [10, 20, 30] [100, 200, 300] }
-- output { [2, 3, 4] [11, 22, 33] [111, 222, 333] }
entry main [n] (xs: [n]i32) (ys: [n]i32) (zs: [n]i32): ([n]i32, [n]i32, [n]i32) =
  (map (+ 1) xs, map2 (+) xs ys, map3 (\x y z -> x + y + z) xs ys zs)

-- Nothing to map over, and rows of nothing.
-- ==
-- entry: nothing
-- input { empty([0][2]i32) }
-- output { empty([0]i32) }
-- input { empty([2][0]i32) }
-- output { [0, 0] }
entry nothing [n] [m] (xs: [n][m]i32): [n]i32 = map i32.sum xs
