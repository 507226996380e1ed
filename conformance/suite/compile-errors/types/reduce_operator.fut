-- The operator of a reduction is of elements.
-- ==
-- error: Cannot apply "reduce" to "xs" \(invalid type\)\..*Expected: \[\]bool.*Actual: +\[\]i32
entry main (xs: []i32) : bool = reduce (\x y -> x == y) true xs
