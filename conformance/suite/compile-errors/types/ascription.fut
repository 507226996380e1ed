-- An ascription does not convert.
-- ==
-- error: Expression does not have expected type from explicit ascription\..*Expected: f64.*Actual: +i32
entry main (x: i32) : f64 = x : f64
