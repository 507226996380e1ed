-- A turn gives two arrays for two parameters, one of them marked.
-- ==
-- error: Return value for consuming loop parameter "ys" aliases previously returned value
entry main (n: i64) : i64 = (loop (xs: [n]i64, ys: *[n]i64) = (iota n, iota n) for i < 3 do let zs = copy xs in (zs, zs)).0[0]
