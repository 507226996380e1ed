-- An update in a field keeps the other fields, which must be there. (0.25.32 has no such path.)
-- ==
-- error: Using variable "r", but this was consumed at
entry main (r: *{a: []i32, b: []i32}) : i32 = let w = r.b with [0] = 1 in (r with a[0] = 1).a[0] + w[0]
