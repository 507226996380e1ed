-- 3 is not 2.
-- ==
-- error: Cannot apply "map2" to "\[x, x\]" \(invalid type\)\..*Expected: \[3\]i32.*Actual: +\[2\]i32
entry main (x: i32) : []i32 = map2 (+) [x, x, x] [x, x]
