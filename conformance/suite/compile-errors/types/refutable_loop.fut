-- A pattern of a loop fits all values.
-- ==
-- error: must fit all values here, but does not fit
entry main (x: i32) : i32 = (loop (y, 1) = (x, 1i32) for i < 3 do (y, 1)).0
