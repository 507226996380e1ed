-- A number has no elements.
-- ==
-- error: Cannot index with 1 indices into a value of type i32
entry main (x: i32) : i32 = x[0]
