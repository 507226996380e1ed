-- What a branch binds stays there.
-- ==
-- error: Unknown name "y"
entry main (c: bool) : i32 = (if c then let y = 1 in y else 2) + y
