-- `map` takes no function that consumes.
-- ==
-- error: Cannot apply "map" to "f" \(invalid type\)
def f (xs: *[]i32) : []i32 = xs with [0] = 1
entry main [n][m] (xss: *[n][m]i32) : [][]i32 = map f xss
