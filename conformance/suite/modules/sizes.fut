-- A module type may name a value and use it as a size: seen through it, it is the module's. By hand.
-- ==
-- entry: inside
-- input { } output { [0i64, 1i64, 2i64] }

-- ==
-- entry: applied
-- input { 5i64 } output { [[5i64, 5i64], [6i64, 6i64]] }
module type sized = {
  val n : i64
  val xs : [n]i64
}

module three : sized = {
  def n = 3i64
  def xs = iota n
}

module type wide = {
  val n : i64
  val row : i64 -> [n / 2]i64
}

module rows (M: wide) = {
  def of [m] (is: [m]i64) : [m][M.n / 2]i64 = map M.row is
}

module four_rows = rows {
  def n = 4i64
  def row i = replicate (n / 2) i
}

entry inside = copy three.xs
entry applied (x: i64) : [][]i64 = four_rows.of [x, x + 1]
