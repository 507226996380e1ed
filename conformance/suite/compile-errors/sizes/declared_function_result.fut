-- A function that is declared to return arrays of an unknown size returns those, whatever its body says. 0.25.32 rejects it too.
-- ==
-- error: Cannot apply "wanted" to "\(given 1 2\)".*Expected: \[2\]i32.*Actual: +\[\]i32
def given (x: i32): (i32 -> []i32) = \y -> [x, y]
def wanted (xs: [2]i32) = xs
entry main = wanted (given 1 2)
