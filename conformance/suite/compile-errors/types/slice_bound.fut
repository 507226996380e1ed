-- The bounds of a slice are i64.
-- ==
-- error: The bounds of a slice must be i64\..*Expected: i64.*Actual: +i32
entry main (xs: []i32) (i: i32) : []i32 = xs[i:]
