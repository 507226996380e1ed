-- ==
-- input { 1i64 3i64 } output { [1i64, 2i64, 3i64] }
-- input { 3i64 1i64 } error: Range 3\.\.4?\.*1.*is invalid
entry main (a: i64) (b: i64): []i64 = a...b
