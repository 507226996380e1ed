-- Each turn of a loop would consume the same array.
-- ==
-- error: Would consume "xs", which is not consumable
def f (xs: *[]i32) : i32 = xs[0]
entry main (xs: *[]i32) : i32 = loop y = 0 for i < 3 do y + f xs
