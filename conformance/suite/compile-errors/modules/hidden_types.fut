-- Types that modules hide are shown with the names of the modules. 0.25.32 rejects it too.
-- ==
-- error: Expected: b\.inner\.t.*Actual: *a\.inner\.t
module type with_inner = { module inner: { type t val get: t -> i64 val mk: i64 -> t } }
module a: with_inner = { module inner = { type t = i64 def get (x: t) = x def mk (x: i64): t = x } }
module b: with_inner = { module inner = { type t = i64 def get (x: t) = x def mk (x: i64): t = x } }
entry main (n: i64) = b.inner.get (a.inner.mk n)
