-- A bracket that was not opened.
-- ==
-- error: This `\)` closes nothing
entry main (x: i32) : i32 = x)
