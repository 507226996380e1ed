-- The index of an update in a field is a use. (0.25.32 has no such path.)
-- ==
-- error: Using variable "xs", but this was consumed at
entry main (xs: *[]i64) (r: *{a: []i64, b: i64}) : ([]i64, []i64) = let zs = xs with [0] = 1 in (zs, (r with a[xs[0]] = 1).a)
