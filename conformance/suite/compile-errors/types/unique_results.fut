-- A function that returns what is not its own does not stand for one that does.
-- ==
-- error: Cannot apply "apply" to "\(\\i -> ys\)" \(invalid type\)\..*Expected: i64 -> \?\[n\]\.\*\[n\]i64.*Actual: +i64 -> \[n\]i64
def apply (f: i64 -> *[]i64) (n: i64) : []i64 = (f n) with [0] = 1
def xs = [1i64, 2]
entry main (n: i64) : []i64 = let ys = iota n in apply (\i -> ys) n
