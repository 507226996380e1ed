-- A record that keeps a consumed field is not made.
-- ==
-- error: Using variable "r", but this was consumed at
entry main (r: *{a: []i32, b: []i32}) : i32 = let w = r.b with [0] = 1 in (r with a = [1]).a[0] + w[0]
