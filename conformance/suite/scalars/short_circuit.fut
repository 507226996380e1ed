-- The right operand of `&&` and `||` is evaluated only when it matters: no index out of bounds here.
-- ==
-- input { [1, 2, 3] 2i64 3 }  output { true true }
-- input { [1, 2, 3] 1i64 3 }  output { false false }
-- input { [1, 2, 3] 5i64 3 }  output { false true }
entry main [n] (xs: [n]i32) (i: i64) (x: i32): (bool, bool) =
  (i < n && xs[i] == x, i >= n || xs[i] == x)
