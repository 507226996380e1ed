-- A sum type has a constructor once.
-- ==
-- error: The constructor "#a" is there twice
type t = #a i32 | #a f32
entry main (x: i32) = x
