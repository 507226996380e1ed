-- What opens is closed by its own kind.
-- ==
-- error: Unexpected `\)`
entry main (xs: []i32) : i32 = xs[0)
