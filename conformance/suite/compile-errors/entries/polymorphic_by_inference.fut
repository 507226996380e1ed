-- An entry point whose argument could be of any type.
-- ==
-- error: Entry point "main" is polymorphic in the type "t0"
entry main (x: i32) y = x
