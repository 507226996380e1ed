-- Elements of arrays are no functions, not in parts either.
-- ==
-- error: Cannot create array: a value of its element type .* might contain functions
def f (xs: [](i32 -> i32, i32)) = xs[0].1
entry main (x: i32) = x
