-- The elements of an empty array that a block returns have no sizes that come up later. 0.25.32 rejects it too.
-- ==
-- error: E0404.*Cannot apply "\+\+" to "ys"
entry main (n: i64) = let ys = (let k = n in []) in (\m -> length ([iota m] ++ ys)) n
