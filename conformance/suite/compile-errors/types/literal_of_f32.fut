-- No f32 is as large. 0.25.32 rejects it too.
-- ==
-- error: E0308
entry main (x: f32) = x + 1e39
