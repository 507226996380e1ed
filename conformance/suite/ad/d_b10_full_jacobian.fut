-- B10 (digest 000, table 5.B): the full Jacobian by unit vectors, its rows in reverse and its columns in forward mode. By hand.

def unit (n: i64) (i: i64) : [n]f64 = map (\j -> f64.bool (i == j)) (iota n)

def rows [n] [m] (f: [n]f64 -> [m]f64) (x: [n]f64) : [m][n]f64 =
  map (\i -> vjp f x (unit m i)) (iota m)

def columns [n] [m] (f: [n]f64 -> [m]f64) (x: [n]f64) : [n][m]f64 =
  map (\i -> jvp f x (unit n i)) (iota n)

-- (x y, y z): [[y, x, 0], [0, z, y]].
def f (x: [3]f64) : [2]f64 = [x[0] * x[1], x[1] * x[2]]

-- ==
-- entry: products
-- input { [2.0, 3.0, 5.0] } output { [[3.0, 2.0, 0.0], [0.0, 5.0, 3.0]] [[3.0, 0.0], [2.0, 5.0], [0.0, 3.0]] }
entry products (x: [3]f64) : ([2][3]f64, [3][2]f64) = (rows f x, columns f x)

-- Products of all from the left: E1's literal Jacobian.
-- ==
-- entry: scan_rows scan_columns
-- input { [1.0, 2.0, 3.0, 4.0, 5.0] }
-- output { [[1.0, 0.0, 0.0, 0.0, 0.0], [2.0, 1.0, 0.0, 0.0, 0.0], [6.0, 3.0, 2.0, 0.0, 0.0], [24.0, 12.0, 8.0, 6.0, 0.0],
--   [120.0, 60.0, 40.0, 30.0, 24.0]] }
-- input { empty([0]f64) } output { empty([0][0]f64) }
entry scan_rows [n] (x: [n]f64) : [n][n]f64 = rows (scan (*) 1) x

entry scan_columns [n] (x: [n]f64) : [n][n]f64 =
  transpose (columns (scan (*) 1) x)

-- All seeds in one derivative: with the seeds in an array of their own, as with each alone. Multiples 1 and 10 of the rows, 1, 10, 100 of
-- the columns.
-- ==
-- entry: multiples
-- input { [2.0, 3.0, 5.0] } output { [[3.0, 2.0, 0.0], [0.0, 50.0, 30.0]] [[3.0, 0.0], [20.0, 50.0], [0.0, 300.0]] }
entry multiples (x: [3]f64) : ([2][3]f64, [3][2]f64) =
  ( map (vjp f x) [[1, 0], [0, 10]]
  , map (jvp f x) [[1, 0, 0], [0, 10, 0], [0, 0, 100]]
  )
