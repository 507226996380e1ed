-- A module type is defined once. 0.25.32 rejects it too.
-- ==
-- error: The module type "t" is defined twice
module type t = { val x : i32 }
module type t = { val y : i32 }
entry main (x: i32) : i32 = x
