-- What the body of a function brings up is of a deeper scope than the names in the function's patterns: what `#foo` holds is there before the call
-- of `filter`, so the message is about `zip`. 0.25.32 rejects it too.
-- ==
-- error: E0402[^╯]*Cannot apply "zip"
entry main [n] (xs: [n]i32) = (\(#foo r) -> zip r (filter (> 0) xs)) (#foo xs)
