-- Two parts of the result are what a consumed parameter was in the last turn.
-- ==
-- error: but this was consumed at
entry main (n: i64) : i64 =
  let (a, b, _) = (loop (a, b, c: *[n]i64) = (iota n, iota n, iota n) for i < n do (c, c, copy c))
  let z = a with [0] = 1
  in b[0] + z[0]
