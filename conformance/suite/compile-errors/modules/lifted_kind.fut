-- A type that may have unknown sizes where the module type has a plain one. 0.25.32 rejects it too.
-- ==
-- error: asks for a non-lifted type "t"
module m: { type t } = { type~ t = []i32 }
entry main (x: i32) = x
