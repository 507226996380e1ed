-- Of two pipes from the right, the function on the left of both comes first. 0.25.32 rejects it too.
-- ==
-- error: size "d1" needed for type of this:.  .d1.\(i64, i64\) -> i64
def ones [n]: [n]i64 = replicate n 1
entry main (xs: []i64) = length <| zip (filter (> 0) xs) <| ones
