-- A size that a type binds is in it.
-- ==
-- error: The size "n" is not used in the type
def f (x: i32) : ?[n].i32 = x
entry main (x: i32) = f x
