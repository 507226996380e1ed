-- A lifted type where the module type has one that may have unknown sizes only. 0.25.32 rejects it too.
-- ==
-- error: E0311
module type s = { type~ t }
module m: s = { type^ t = []i32 }
entry main (x: i32) = x
