-- ==
-- input { 3i64 }
-- output { [0i64, 1i64, 2i64] [7, 7, 7] [[1, 2], [1, 2], [1, 2]] }
-- input { 0i64 }
-- output { empty([0]i64) empty([0]i32) empty([0][2]i32) }
entry main (n: i64): ([n]i64, [n]i32, [n][2]i32) = (iota n, replicate n 7, replicate n [1, 2])
