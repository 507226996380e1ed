-- A result with a star is not a part of a parameter without one.
-- ==
-- error: Unique-typed return value is aliased to "xs", which is not consumable
def f (xs: [][]i32) : *[]i32 = xs[0]
entry main (xs: [][]i32) : []i32 = f xs
