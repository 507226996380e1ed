-- Names that nothing uses, of patterns and of `local` definitions: a warning each (0.25.32 warns of the first).
-- ==
-- warning: Unused name "unused_part"
-- warning: Unused name "unused_local"
local def unused_local (x: i32) : i32 = x
entry main (x: i32) : i32 = let (a, unused_part) = (x, x) in a
