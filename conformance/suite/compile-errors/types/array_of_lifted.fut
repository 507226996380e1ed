-- Nor is one that may have functions. 0.25.32 rejects it too.
-- ==
-- error: E0307
type^ arr = [2]i32
type rows = [3]arr
entry main (x: i32) = x
