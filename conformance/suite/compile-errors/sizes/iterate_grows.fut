-- A function that is iterated keeps sizes.
-- ==
-- error: Cannot apply "iterate" to "\(\\ys -> ys \+\+ ys\)" \(invalid type\)
entry main (xs: []i32) : []i32 = iterate 3 (\ys -> ys ++ ys) xs
