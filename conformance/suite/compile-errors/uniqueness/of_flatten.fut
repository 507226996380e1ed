-- A flat view of what was consumed is gone.
-- ==
-- error: Using variable "xss", but this was consumed at
entry main (xss: *[][]i32) : i32 = let f = flatten xss let yss = xss with [0, 0] = 1 in f[0] + yss[0, 0]
