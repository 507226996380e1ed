-- An index is a signed integer (0.25.32: Cannot unify type "u8" with any of i8, i16, i32, i64).
-- ==
-- error: An index must be a signed integer
entry main (xs: []i32) (i: u8) : i32 = xs[i]
