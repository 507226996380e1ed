-- What one branch consumes is gone after both.
-- ==
-- error: Using variable "xs", but this was consumed at
entry main (c: bool) (xs: *[]i32) : i32 = let y = if c then (xs with [0] = 1)[0] else 2 in xs[0] + y
