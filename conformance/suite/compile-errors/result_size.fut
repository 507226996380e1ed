-- ==
-- error: .*
entry main (n: i64) (m: i64): [m]i64 = iota n
