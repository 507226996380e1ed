-- Elements of arrays are no functions, not in parts either.
-- ==
-- error: Array elements cannot be functions
def f (xs: [](i32 -> i32, i32)) = xs[0].1
entry main (x: i32) = x
