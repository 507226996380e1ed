-- A size that no argument has.
-- ==
-- error: Entry point "main" must not be size-polymorphic in its result: nothing says what \[n\] is
entry main [n] (x: i32) : [n]i32 = replicate n x
