-- A parameter has one type.
-- ==
-- error: Unexpected `:`
entry main (x: i32 : i64) : i32 = x
