-- An index is an integer.
-- ==
-- error: An index must be an integer
entry main (xs: []i32) (i: f32) : i32 = xs[i]
