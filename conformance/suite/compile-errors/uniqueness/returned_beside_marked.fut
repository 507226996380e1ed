-- The marked part of a result is not an alias of the part beside it.
-- ==
-- error: A unique-typed component of the return value is aliased to some other component
def f (xs: *[]i32) : (*[]i32, []i32) = (xs, xs)
entry main (xs: *[]i32) : i32 = let (a, b) = f xs in a[0] + b[0]
