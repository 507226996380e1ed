-- Ranges are of integers.
-- ==
-- error: The parts of a range must be integers of one type
entry main (x: f32) : []f32 = x..<3.0
