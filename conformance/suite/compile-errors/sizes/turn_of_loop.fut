-- What comes up in a turn is no size of what it begins with, where no name is bound. 0.25.32 rejects it too.
-- ==
-- error: E0404.*Cannot apply "map2".*Actual: *\[d1\]i64
entry main (n: i64) : i64 = length (loop xs = iota n for _i < 3 do map2 (+) xs (filter (> 0) xs))
