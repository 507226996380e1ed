-- A size that is not declared.
-- ==
-- error: Unknown name "n"
entry main (xs: [n]i32) : i32 = xs[0]
