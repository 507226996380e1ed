-- Digest 004, appendix B, P23: which branch is taken decides both sizes. Of x rows of nothing the inner size is 0.
-- ==
-- input { false 2i64 3i64 } output { [[0i64, 1i64], [0i64, 1i64], [0i64, 1i64]] }
-- input { true 2i64 3i64 } output { [[0i64, 1i64, 2i64], [0i64, 1i64, 2i64]] }
-- input { true 2i64 0i64 } output { empty([2][0]i64) }
-- input { false 2i64 0i64 } output { empty([0][2]i64) }
entry main (c: bool) (x: i64) (y: i64) : [][]i64 =
  if c then replicate x (iota y) else replicate y (iota x)
