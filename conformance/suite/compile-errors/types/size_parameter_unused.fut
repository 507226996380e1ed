-- A size parameter is used.
-- ==
-- error: The size parameter "n" is not used in the type
type vec [n] = i32
entry main (x: vec [2]) : i32 = x
