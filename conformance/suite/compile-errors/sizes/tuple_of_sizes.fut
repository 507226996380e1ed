-- Two arrays of a pair may be of two sizes.
-- ==
-- error: Cannot apply "f" to "\(xs, ys\)" \(invalid type\)\..*Expected: \(\[n\]i32, \[n\]i32\).*Actual: +\(\[n\]i32, \[m\]i32\)
def f [n] (p: ([n]i32, [n]i32)) = length p.0
entry main [n][m] (xs: [n]i32) (ys: [m]i32) : i64 = f (xs, ys)
