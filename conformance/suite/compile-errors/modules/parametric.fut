-- A module with a parameter is none without. 0.25.32 rejects it too.
-- ==
-- error: parametric
module m: { val k: i64 } = \(p: { val k: i64 }) -> { def k = p.k }
entry main (n: i64) = n
