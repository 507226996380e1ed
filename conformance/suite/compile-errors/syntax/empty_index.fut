-- Between brackets there is an index.
-- ==
-- error: Syntax error: an index is missing
entry main (xs: []i32) : i32 = xs[]
