-- Each of the two parts fits by itself, but not both: the base is `k`, and so is the exponent.
-- ==
-- error: Sizes "k" and "k \+ 1" do not match
def area [n] [m] (x: [n ** m]i32) (_: [n]i32) (_: [m]i32) = length x
entry main [k] (xs: [k]i32) (ys: [k + 1]i32) = area (replicate (k ** k) 1) xs ys
