-- A size that is not declared.
-- ==
-- error: Unknown name "n"
type vec = [n]i32
entry main (x: i32) = x
