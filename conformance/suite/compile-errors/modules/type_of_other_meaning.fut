-- The message says the modules that the type is in. 0.25.32 rejects it too.
-- ==
-- error: "inner\.t"
module m: { module inner: { type t = i64 } } = { module inner = { type t = f64 } }
entry main (n: i64) = n
