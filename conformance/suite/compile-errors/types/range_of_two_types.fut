-- The parts of a range have one type.
-- ==
-- error: The parts of a range must be integers of one type\..*Expected: i32.*Actual: +i64
entry main (x: i32) (y: i64) : []i64 = x..<y
