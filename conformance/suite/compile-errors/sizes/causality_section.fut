-- The operator of a section comes before its operand. 0.25.32 rejects it too.
-- ==
-- error: E0402
entry main (xs: []i32) (ys: []i32) = (filter (> 0) xs ++) ys
