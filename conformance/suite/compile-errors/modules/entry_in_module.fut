-- Entry points are of the program.
-- ==
-- error: Entry points cannot stand in modules
module m = { entry f (x: i32) = x }
entry main (x: i32) = m.f x
