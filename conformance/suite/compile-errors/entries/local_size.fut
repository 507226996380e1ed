-- An argument that is a function shows no size, and is no argument.
-- ==
-- error: may not be higher-order: it takes a function
entry main [n] (f: [n]i32 -> i32) (x: i32) : i32 = x
