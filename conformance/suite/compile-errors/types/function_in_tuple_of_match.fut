-- A case returns no function in a record either. 0.25.32 rejects it too.
-- ==
-- error: The results of branches cannot be functions
type^ step = i32 -> i32
entry main (x: i32) = let h c (a: step) (b: step) = match c case true -> (a, 1i32) case false -> (b, 2i32) in x
