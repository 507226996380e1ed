-- A parameter of a function without a star takes no function with one.
-- ==
-- error: Cannot apply "apply" to .*
def apply (f: []i32 -> i32) (xs: []i32) : i32 = f xs
entry main (xs: *[]i32) : i32 = apply (\(xs: *[]i32) -> (xs with [0] = 1)[0]) xs
