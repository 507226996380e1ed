-- A module type does not refer to itself.
-- ==
-- error: Unknown module type "s"
module type s = { include s }
entry main (x: i32) = x
