-- 3 is not 2.
-- ==
-- error: Cannot apply "two" to "\[x, x, x\]" \(invalid type\)\..*Expected: \[2\]i32.*Actual: +\[3\]i32
def two (xs: [2]i32) = xs[0]
entry main (x: i32) : i32 = two [x, x, x]
