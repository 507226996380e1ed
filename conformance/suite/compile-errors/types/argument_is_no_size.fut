-- A parameter in brackets stands for a size.
-- ==
-- error: The argument for "n" must be a size in brackets
type vec [n] = [n]i32
entry main (x: vec i32) : i32 = x[0]
