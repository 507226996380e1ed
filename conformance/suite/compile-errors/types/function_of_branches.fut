-- Branches give no functions.
-- ==
-- error: branches cannot be functions|found to be functional
entry main (c: bool) (x: i32) : i32 = (if c then (+ 1) else (+ 2)) x
