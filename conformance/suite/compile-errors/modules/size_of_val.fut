-- A function of a module type has named sizes.
-- ==
-- error: All function parameters must have non-anonymous sizes
module type s = { val f : []i32 -> i32 }
entry main (x: i32) = x
