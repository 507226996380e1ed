-- Of the two booleans the first one is missing. 0.25.32 rejects it too.
-- ==
-- error: E0312.*Unmatched cases in this match: true
entry main (b: bool) : i32 = match b case false -> 1
