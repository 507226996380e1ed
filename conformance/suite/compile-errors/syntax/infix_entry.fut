-- An operator between its parameters is no entry point, also where it is a name between backquotes; 0.25.32 rejects both.
-- ==
-- error: E0103.*expected an operator.*E0103.*expected an operator
entry (x: i32) +^ (y: i32) = x + y
entry (x: i32) `plus` (y: i32) = x + y
