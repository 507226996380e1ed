-- A variable that an attribute mentions must be in scope.
-- ==
-- error: Unknown name "y"
entry main (x: i32) : i32 = #[some($y)] (x + 1)
