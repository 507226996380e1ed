-- `val` declares a value in a module type; a program defines values.
-- ==
-- error: A `val` declares what something else defines; it may stand in module types only
val f : i32 -> i32
entry main (x: i32) = x
