-- What is on the left of this pipe comes first. 0.25.32 rejects it too.
-- ==
-- error: E0402
entry main (xs: []i32) = length <| filter (> 0) xs
