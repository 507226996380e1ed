-- A row of what was consumed is gone.
-- ==
-- error: Using variable "xss", but this was consumed at
entry main (xss: *[][]i32) : i32 = let row = xss[0] let yss = xss with [1, 0] = 2 in row[0] + yss[0, 0]
