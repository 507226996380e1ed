-- A function that is a parameter has one type.
-- ==
-- error: Cannot apply "f" to "true" \(invalid type\)\..*Expected: i32.*Actual: +bool
def twice f = (f 1i32, f true)
entry main (x: i32) : i32 = (twice id).0
