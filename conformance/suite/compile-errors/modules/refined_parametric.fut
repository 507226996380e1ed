-- The type of modules with a parameter has no types that `with` could give. 0.25.32 rejects it too.
-- ==
-- error: A module type with a parameter has no types to refine
module type s = ((p: { type t }) -> { type u }) with u = i32
entry main (x: i32) = x
