-- A field that was updated is gone.
-- ==
-- error: Using variable "xs", but this was consumed at
entry main (xs: *[]i32) : i32 = let r = {a = xs, b = 1i32} let s = r.a with [0] = 1 in r.a[0] + s[0]
