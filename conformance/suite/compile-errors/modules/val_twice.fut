-- A module type says a value once.
-- ==
-- error: The value "x" is defined twice
module type s = { val x : i32 val x : f32 }
entry main (x: i32) = x
