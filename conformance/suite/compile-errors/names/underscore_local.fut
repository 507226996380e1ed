-- Nor is a local one. 0.25.32 rejects it too.
-- ==
-- error: underscore
entry main (x: i32) = let _y = x + 1 in _y
