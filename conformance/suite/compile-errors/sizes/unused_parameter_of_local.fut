-- The same of a local function: its type must have the sizes that it declares. 0.25.32 rejects it too.
-- ==
-- error: the size \[n\] is not used in it
entry main (x: i32) = let f [n] (y: i32) = y in f x
