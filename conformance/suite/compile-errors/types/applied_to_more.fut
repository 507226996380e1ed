-- A function of one parameter takes no two.
-- ==
-- error: Cannot apply "f" to 2 arguments: it takes 1 argument and returns i32
def f (x: i32) : i32 = x
entry main (x: i32) : i32 = f x x
