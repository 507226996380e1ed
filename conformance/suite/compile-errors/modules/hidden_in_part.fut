-- The same of a module in the module. 0.25.32 rejects it too.
-- ==
-- error: E0301.*Actual: *m\.inner\.t
module m: { module inner: { type t val x: t } } = { module inner = { type t = i32 def x = 1i32 } }
def f (x: i32) = x
entry main (x: i32) = f m.inner.x + x
