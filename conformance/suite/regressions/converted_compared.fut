-- Numbers of 32 bits, converted to 64 and compared with constants: as the bounds of an index are, and by the program. Mesa 22.3.6 has such comparisons wrong.
-- ==
-- entry: gathered
-- input { [2.0, 3.0, 5.0] [2i32, 0i32, 2i32] } output { [5.0, 2.0, 5.0] }
entry gathered (xs: [3]f64) (is: [3]i32) : [3]f64 = map (\i -> xs[i]) is

-- ==
-- entry: less between
-- input { [0i32, 3i32, -1i32, 2i32, 2147483647i32, -2147483648i32] } output { [true, false, false, true, false, false] }
entry less (is: []i32) = map (\i -> let j = i64.i32 i in j < 3 && j >= 0) is
entry between (is: []i32) = map (\i -> let j = i64.i32 i in !(3 <= j) && !(j <= -1)) is

-- ==
-- entry: equal
-- input { [0i32, 3i32, -1i32, 2i32, 2147483647i32, -2147483648i32] }
-- output { [true, false, false, false, false, false] [false, false, true, false, false, false] [false, false, false, false, true, false] }
entry equal (is: []i32) =
  unzip3 (map (\i -> let j = i64.i32 i in (j == 0, j == -1, j == 2147483647)) is)
