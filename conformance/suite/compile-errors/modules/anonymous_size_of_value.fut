-- Where a module type says nothing of the size of a value, each use of the value has an unknown size of its own. 0.25.32 rejects it too, as the size has
-- no name.
-- ==
-- error: E0401[^╯]*Cannot apply "map2" to "P\.x"
module f (P: { val x : []i32 }) = { def y = map2 (+) P.x P.x }
