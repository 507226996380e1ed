-- What comes back for a consumed parameter after several turns is consumed too.
-- ==
-- error: Would consume "xs", which is not consumable
entry main (n: i64) (xs: [n]i64) : i64 =
  let (a, b, c) = (loop (a, b, c) = (iota n, iota n, xs) for i < n do let a[0] = 1 in (b, c, a))
  in a[0] + b[0] + c[0]
