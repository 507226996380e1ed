-- A type that is lifted for sizes has no functions.
-- ==
-- error: The type "t" contains a function: declare it with `type\^`
type~ t = i32 -> i32
entry main (x: i32) = x
