-- So have they in a module type.
-- ==
-- error: The name "x" is defined twice, as a module and as a value
module type t = { module x : { val y : i32 } val x : i32 }
entry main (y: i32) = y
