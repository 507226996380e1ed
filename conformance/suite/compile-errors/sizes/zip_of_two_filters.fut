-- The message says where both of the unknown sizes come from, each at its place. 0.25.32 rejects it too.
-- ==
-- error: "d1" is unknown size returned by "filter".*"d2" is unknown size returned by "filter"
entry main (xs: []i32) = zip (filter (> 1) xs) (filter (< 1) xs)
