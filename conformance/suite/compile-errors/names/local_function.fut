-- In a local function. 0.25.32 rejects it too.
-- ==
-- error: E0204
entry main (x: i32) = let f [n] (n: [n]i32) = n in f [x]
