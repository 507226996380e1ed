-- Rows and columns of a product have one size.
-- ==
-- error: Cannot apply "map" to "xs" \(invalid type\)\..*Expected: \[n\]\[n\]i32.*Actual: +\[n\]\[m\]i32
def dot [n] (xs: [n]i32) (ys: [n]i32) : i32 = reduce (+) 0 (map2 (*) xs ys)
entry main [n][m] (xs: [n][m]i32) (ys: [n]i32) : []i32 = map (dot ys) xs
