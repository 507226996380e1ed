-- A size that is computed is unknown once `let` has named it. 0.25.32 rejects it too.
-- ==
-- error: Expected: \[g 1\]i64.*Actual: +\[m\]i64
def f [n] (g: i64 -> i64) (xs: [n]i64): [g 1]i64 = let [m] (ys: [m]i64) = iota (g 1) in map (+ m) ys
entry main = f (+ 1) [3]
