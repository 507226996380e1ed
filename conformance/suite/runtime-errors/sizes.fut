-- A coercion that does not hold.
-- ==
-- input { [1, 2, 3] 3i64 } output { [1, 2, 3] }
-- input { [1, 2, 3] 2i64 } error: cannot match shape of type
entry main [n] (xs: [n]i32) (k: i64): [k]i32 = xs :> [k]i32

-- ==
-- entry: negative
-- input { 2i64 }  output { [0, 0] }
-- input { -1i64 } error:
entry negative (n: i64): []i32 = replicate n 0
