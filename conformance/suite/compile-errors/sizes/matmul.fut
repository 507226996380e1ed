-- The rows of one are as long as the columns of the other.
-- ==
-- error: Cannot apply "matmul" to "a" \(invalid type\)\..*Expected: \[m\]\[\]f64.*Actual: +\[n\]\[m\]f64
def matmul [n][m][p] (a: [n][m]f64) (b: [m][p]f64) : [n][p]f64 = map (\x -> map (\y -> f64.sum (map2 (*) x y)) (transpose b)) a
entry main [n][m] (a: [n][m]f64) : [n][m]f64 = matmul a a
