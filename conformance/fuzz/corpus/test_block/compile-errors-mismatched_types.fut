-- ==
-- error: .*
entry main (x: i32) (y: f64): f64 = x + y
