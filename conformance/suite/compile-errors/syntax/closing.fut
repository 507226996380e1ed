-- A bracket that was not opened.
-- ==
-- error: Unexpected `\)`
entry main (x: i32) : i32 = x)
