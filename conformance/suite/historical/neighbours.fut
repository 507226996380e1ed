-- Futhark #2335 (futhark-compat.md §7): counting with an index function that is safe at the edges, compiled and interpreted programs disagreed.
-- Of the grid
--     1 0        2 3
--     1 1   the  2 2   are the numbers of ones around.
-- There is nothing to differentiate here.
-- ==
-- input { [[true, false], [true, true]] } output { [[2, 3], [2, 2]] }
-- input { [[true]] }                      output { [[0]] }
-- input { empty([0][2]bool) }             output { empty([0][2]i32) }
-- input { empty([2][0]bool) }             output { empty([2][0]i32) }
entry main [n] [m] (grid: [n][m]bool): [n][m]i32 =
  let at (i: i64) (j: i64) = if 0 <= i && i < n && 0 <= j && j < m then i32.bool grid[i, j] else 0
  let around (i: i64) (j: i64) = i32.sum (tabulate 9 (\k -> if k == 4 then 0 else at (i + k / 3 - 1) (j + k % 3 - 1)))
  in tabulate_2d n m around
