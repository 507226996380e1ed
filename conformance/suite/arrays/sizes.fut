-- A size parameter is a number like any other.
-- ==
-- input { [1.0, 2.0, 3.0, 6.0] }
-- output { 3.0 4i64 [0i64, 1i64, 2i64, 3i64] }
entry main [n] (xs: [n]f64): (f64, i64, [n]i64) = (f64.sum xs / f64.i64 n, n, iota n)

-- A coercion that holds.
-- ==
-- entry: coerced
-- input { [1, 2, 3] 3i64 }
-- output { [2, 3, 4] }
entry coerced [n] (xs: [n]i32) (k: i64): [k]i32 = map (+ 1) (xs :> [k]i32)
