-- A module has the types of its module type.
-- ==
-- error: lacks the type "t"|type named "t"
module m : { type t } = { def x = 1i32 }
entry main (x: i32) = x
