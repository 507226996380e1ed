-- Digest 004, appendix B, P10: an update in place of an array that the function owns. Indices out of bounds are errors.
-- ==
-- input { [1, 2, 3] 1 [10, 20, 30] } output { [1, 22, 3] }
-- input { [1, 2, 3] 3 [10, 20, 30] } error: out of bounds
-- input { [1, 2, 3] -1 [10, 20, 30] } error: out of bounds
def modify [n] (a: *[n]i32) (i: i32) (x: [n]i32) : *[n]i32 = a with [i] = a[i] + x[i]

entry main [n] (a: *[n]i32) (i: i32) (x: [n]i32) : [n]i32 = modify a i x
