-- A size that a type binds is in it.
-- ==
-- error: Existential size "n" is not used
def f (x: i32) : ?[n].i32 = x
entry main (x: i32) = f x
