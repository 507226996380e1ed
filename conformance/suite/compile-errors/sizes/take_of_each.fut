-- The results of map have one size.
-- ==
-- error: Cannot apply "map" to "\(\\i -> take i xs\)" \(invalid type\)
entry main [n] (xs: [n]i32) : [][]i32 = map (\i -> take i xs) (iota n)
