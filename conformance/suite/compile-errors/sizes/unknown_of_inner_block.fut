-- Of an unknown size that leaves a block, the message says where it came up. 0.25.32 rejects it too.
-- ==
-- error: Expected: \[k\]i64.*Actual: +\[\]i64.*an unknown size returned by "filter"
entry main (k: i64) : [k]i64 = let xs = (let ys = filter (> 0) (iota k) in map (+ 1) ys) in xs
