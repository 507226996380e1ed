-- A loop begins with a value of the type of its pattern. 0.25.32 rejects it too.
-- ==
-- error: The initial value does not have the type of the loop's pattern\..*Expected: i32.*Actual: +bool
entry main (n: i64) = loop (x: i32) = true for _i < n do 1
