-- A size that no argument shows by itself. 0.25.32 rejects it too.
-- ==
-- error: E0405
entry main [n] (xs: [n + 1]i32) = n + length xs
