-- The message says both types of the value, and the modules that it is in. 0.25.32 rejects it too.
-- ==
-- error: val inner\.f \[n\] : \[n\]i64 -> bool.*val inner\.f \[n\] : \[n\]i64 -> i64
module m: { module inner: { val f [n]: [n]i64 -> bool } } = {
  module inner = { def f [n] (xs: [n]i64): i64 = xs[n - 1] }
}
entry main (n: i64) = n
