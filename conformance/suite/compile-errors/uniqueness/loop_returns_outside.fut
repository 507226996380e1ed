-- A turn gives an array of its own.
-- ==
-- error: Return value for consuming loop parameter "xs" aliases "ys"
entry main (n: i64) : i64 = let ys = iota n in (loop xs = iota n for i < 3 do let zs = xs with [0] = i in ys)[0]
