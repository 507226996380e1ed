-- The size of a hole is that of nothing. 0.25.32 rejects it too.
-- ==
-- error: Causality
entry main (b: bool) (xs: []i32) = length (if b then filter (> 0) xs else ???)
