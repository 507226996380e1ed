-- A file defines a type once.
-- ==
-- error: The type "t" is defined twice
type t = i32
type t = i64
entry main (x: t) = x
