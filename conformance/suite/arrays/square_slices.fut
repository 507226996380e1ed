-- Columns of square matrices, and as many columns as there are rows: what is taken of each row does not lie in one piece. Hand calculation.

-- ==
-- entry: columns
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64], [7i64, 8i64, 9i64]] 1i64 3i64 } output { [[2i64, 3i64], [5i64, 6i64], [8i64, 9i64]] }
entry columns [n] (xss: [n][n]i64) (i: i64) (j: i64) = xss[:n, i:j]

-- ==
-- entry: as_many
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]] 0i64 2i64 } output { [[1i64, 2i64], [4i64, 5i64]] }
entry as_many [n][m] (xss: [n][m]i64) (i: i64) (j: i64) = xss[i:j, :n]

-- ==
-- entry: replaced
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]] [[10i64, 20i64], [40i64, 50i64]] } output { [[10i64, 20i64, 3i64], [40i64, 50i64, 6i64]] }
entry replaced [n][m] (xss: *[n][m]i64) (yss: [n][n]i64) = xss with [0:n, 0:n] = yss
