-- A case binds a name once. (0.25.32 accepts this.)
-- ==
-- error: The name "y" is bound twice in one pattern
entry main (x: i32) : i32 = match (x, x) case (y, y) -> y
