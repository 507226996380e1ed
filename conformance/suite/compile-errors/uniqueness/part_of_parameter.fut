-- A part of a pair without a star is not the function's own.
-- ==
-- error: Would consume "p", which is not consumable
entry main (p: ([]i32, i32)) : []i32 = p.0 with [0] = 1
