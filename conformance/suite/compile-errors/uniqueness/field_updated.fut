-- An update in a field consumes the array of this field. (0.25.32 has no such path.)
-- ==
-- error: Using variable "r", but this was consumed at
entry main (r: *{a: []i32, b: i32}) : i32 = let z = r with a[0] = 1 in r.a[0] + z.b
