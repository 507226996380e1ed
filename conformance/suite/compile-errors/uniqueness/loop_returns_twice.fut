-- A turn gives two arrays for two parameters.
-- ==
-- error: Return value for loop parameter "ys" aliases other consumed loop parameter
entry main (n: i64) : i64 = (loop (xs, ys) = (iota n, iota n) for i < 3 do let xs = xs with [0] = i let ys = ys with [0] = i in (xs, xs)).0[0]
