-- The rows of an empty array have a size that is computed before it. 0.25.32 rejects it too.
-- ==
-- error: E0402.*Causality
entry main (xs: []i64) =
  let none = [] : [][]i64
  let some = [filter (> 0) xs]
  in length (none ++ some)
