-- A function of one parameter takes no two.
-- ==
-- error: Cannot apply "f" to 2 arguments: after 1, its type is i32
def f (x: i32) : i32 = x
entry main (x: i32) : i32 = f x x
