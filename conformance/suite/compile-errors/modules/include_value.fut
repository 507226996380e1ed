-- `include` takes a module type.
-- ==
-- error: Unknown module type "nowhere"
module type s = { include nowhere }
entry main (x: i32) = x
