-- A parameter with a mark in one part consumes the whole argument.
-- ==
-- error: Would consume "xs", which is not consumable
def g (p: ([]i32, *[]i32)) : i32 = p.0[0] + p.1[0]
entry main (xs: []i32) (ys: *[]i32) : i32 = g (xs, ys)
