-- A type with an existential size is an array type all the same. 0.25.32 rejects it too.
-- ==
-- error: Function body does not have the declared type
def f (x: i32) : ?[n].[n]i32 = x
entry main (x: i32) = f x
