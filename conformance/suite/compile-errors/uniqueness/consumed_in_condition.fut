-- Each turn of a loop would consume the same array. (0.25.32 accepts this.)
-- ==
-- error: Would consume "xs", which is not consumable
def f (xs: *[]i32) : i32 = xs[0]
entry main (xs: *[]i32) : i32 = loop y = 0 while y < f xs do y + 1
