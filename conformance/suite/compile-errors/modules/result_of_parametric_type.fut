-- The result of a type of modules with a parameter is checked where it is written. 0.25.32 rejects it too.
-- ==
-- error: Unknown type "nothing"
module type s = (p: { type t }) -> { val x: nothing }
entry main (x: i32) = x
