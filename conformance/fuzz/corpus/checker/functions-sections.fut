-- ==
-- input { 7 2 }
-- output { 5 -5 3 9 true }
entry main (x: i32) (y: i32): (i32, i32, i32, i32, bool) =
  ((x -) y, (\z -> z - x) y, (/ y) x, (+) x y, (< x) y)
