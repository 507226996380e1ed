-- An index is an integer.
-- ==
-- error: An index must be a signed integer
entry main (xs: []i32) (i: f32) : i32 = xs[i]
