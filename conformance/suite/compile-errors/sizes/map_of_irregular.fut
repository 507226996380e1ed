-- The results of map have one size.
-- ==
-- error: Cannot apply "map" to "\(\\i -> iota i\)" \(invalid type\)
entry main (n: i64) : [][]i64 = map (\i -> iota i) (iota n)
