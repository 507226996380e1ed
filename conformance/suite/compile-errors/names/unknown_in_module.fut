-- A module has no such name.
-- ==
-- error: Unknown name "f64\.sqroot"
entry main (x: f64) : f64 = f64.sqroot x
