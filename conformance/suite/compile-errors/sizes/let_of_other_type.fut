-- A pattern that names a size fits its value. 0.25.32 rejects it too.
-- ==
-- error: E0301.*The value does not have the type of its pattern
entry main (xs: []i32) = let [n] (ys: [n]i32) = true in n + length xs + i64.i32 ys[0]
