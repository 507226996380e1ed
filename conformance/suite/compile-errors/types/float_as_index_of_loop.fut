-- A loop counts with integers.
-- ==
-- error: Cannot apply "\+" to "i" \(invalid type\)\..*Expected: f32.*Actual: +i32
entry main (x: f32) : f32 = loop y = x for i < 3i32 do y + i
