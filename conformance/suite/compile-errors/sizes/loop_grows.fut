-- A size in the type of a loop does not change.
-- ==
-- error: Inside the loop a size is "n"\. After a turn it is "n \+ n"\..*Expected: \[n\]i32.*Actual: +\[n \+ n\]i32
entry main [n] (xs: [n]i32) : i32 = let ys = loop (ys: [n]i32) = xs for i < 3 do ys ++ ys in ys[0]
