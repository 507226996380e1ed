-- A size is an i64.
-- ==
-- error: A size must be an i64\..*Expected: i64.*Actual: +i32
def f (n: i32) (xs: [n]i32) = n
entry main (x: i32) : i32 = f x [1]
