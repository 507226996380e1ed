-- An entry point has no type parameters.
-- ==
-- error: Entry point "main" is polymorphic in the type "a"
entry main 'a (x: a) (y: i32) : i32 = y
