-- A part of an argument is no function.
-- ==
-- error: Entry point "main" may not be higher-order: it takes a function
entry main (p: (i32 -> i32, i32)) : i32 = p.0 p.1
