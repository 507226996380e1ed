-- What a parameter is in a turn may be what another was in the turn before.
-- ==
-- error: Would consume "xs", which is not consumable
entry main (n: i64) (xs: [n]i64) : []i64 =
  let (a, _) = (loop (a, b) = (iota n, xs) for i < n do (b, map (+ 1) a))
  in a with [0] = 1
