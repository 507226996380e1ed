-- A file defines a name once.
-- ==
-- error: The value "f" is defined twice
def f (x: i32) = x
def f (x: i32) = x + 1
entry main (x: i32) = f x
