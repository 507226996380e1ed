-- A field that is not replaced is still the same array.
-- ==
-- error: Using variable "r", but this was consumed at
entry main (r: *{a: []i32, b: []i32}) : i32 = let z = r with a = [1] let w = r.b with [0] = 1 in z.b[0] + w[0]
