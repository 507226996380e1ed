-- Shifts are of integers.
-- ==
-- error: Cannot apply "<<" to "x" \(invalid type\)
entry main (x: f32) : f32 = x << 1
