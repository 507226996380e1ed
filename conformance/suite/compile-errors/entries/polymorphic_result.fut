-- Nothing tells the size of the result. 0.25.32 rejects it too.
-- ==
-- error: E0501
entry main [n] (x: i32): [n]i32 = replicate n x
