-- Two parameters of a loop, one of them consumed, do not begin as one array.
-- ==
-- error: Argument passed for consuming parameter is self-aliased
entry main (xs: *[]i32) : i32 = let (a, b) = (loop (a, b) = (xs, xs) for i < 10 do let b[0] = 1 in (a, b)) in a[0] + b[0]
