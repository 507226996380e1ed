-- A module has no such type.
-- ==
-- error: Unknown type "m\.u"
module m = { type t = i32 }
entry main (x: m.u) : m.t = x
