-- What opens is closed by its own kind.
-- ==
-- error: The `\[` is closed by `\)`
entry main (xs: []i32) : i32 = xs[0)
