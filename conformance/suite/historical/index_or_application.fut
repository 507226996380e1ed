-- Parsing (references.md A1): whether `f[x]` indexes or `f [x]` applies is decided by white space; `(-x)` is a negation, no section; in `p.0.1` the
-- `0.1` is no number. There is nothing to differentiate here.
-- ==
-- input { [5, 6, 7] 1i64 } output { 6 3i64 -6 6i64 -1i64 }
entry main [n] (f: [n]i32) (i: i64): (i32, i64, i32, i64, i64) =
  let g [m] (_: [m]i64): i64 = m
  let p = ((i, 6i64), i)
  in (f[i], g [i, i, i], (-f[i]), p.0.1, (-i))
