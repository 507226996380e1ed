-- A part of a sum is no function.
-- ==
-- error: Entry point "main" may not be higher-order: it takes a function
type^ t = #a (i32 -> i32) | #b i32
entry main (x: t) : i32 = 1
