-- An argument from outside is no function.
-- ==
-- error: Entry point "main" may not be higher-order: it takes a function
entry main (f: i32 -> i32) (x: i32) : i32 = f x
