-- A hidden type is shown with the name of its module. 0.25.32 rejects it too.
-- ==
-- error: E0301.*Actual: *m\.t
module m: { type t val x: t } = { type t = i32 def x = 1i32 }
entry main (x: m.t) : i32 = x
