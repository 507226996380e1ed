-- No f64 is as large. 0.25.32 rejects it too.
-- ==
-- error: E0308
entry main (x: f64) = x + 2e308
