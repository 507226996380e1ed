-- The same of a section. 0.25.32 rejects it too.
-- ==
-- error: E0402
entry main (n: i64) = (.0) <| loop (xs: []i64, j) = ([], 0) for i < n do (xs ++ [i], j + i)
