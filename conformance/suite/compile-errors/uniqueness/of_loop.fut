-- What a loop began with is gone where its turns update.
-- ==
-- error: Using variable "xs", but this was consumed at
entry main (xs: *[]i32) : i32 = let ys = loop zs = xs for i < 3 do zs with [0] = i in xs[0] + ys[0]
