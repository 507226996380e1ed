-- A function that consumes a part of its argument is none that consumes nothing. 0.25.32 rejects it too.
-- ==
-- error: Cannot apply "apply" to "g" \(invalid type\).*incompatible regarding consuming
def apply (f: ([]i32, []i32) -> i32) (xs: []i32): i32 = f (xs, xs)
def g (p: (*[]i32, []i32)): i32 = let ys = p.0 with [0] = 1 in ys[0]
entry main (n: i64) = apply g (replicate n 1)
