-- A type parameter stands for any type.
-- ==
-- error: Cannot apply "\+" to "x"
def double 'a (x: a) : a = x + x
entry main (x: i32) = double x
