-- Digest 004, beside P24 (the second program of its fig. 36): in each element of a map the same array of outside would be updated.
-- ==
-- error: consume "d", which is not consumable
entry main (n: i64) (m: i64) : [][]i64 =
  let d = iota m
  in map (\i -> d with [i] = 2) (iota n)
