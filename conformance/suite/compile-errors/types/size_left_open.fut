-- A type has a size parameter for each size.
-- ==
-- error: The type "vec" leaves a size open
type vec = []i32
entry main (x: vec) : i32 = x[0]
