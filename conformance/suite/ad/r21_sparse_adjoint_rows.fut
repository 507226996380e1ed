-- R21: rows and elements of rows that branches read, in several directions, twice; the same element in both branches. By hand.

-- The row k of a table, or twice the element (k, 1) and the row before: x[k, 0] x[k, 1] or 2 x[k, 1] x[k-1, 0].
def f [n] [m] (k: i64) (x: [n][m]f64) : f64 =
  let y = map (map (* 3)) x
  let r = if k % 2 == 0 then let row = y[k] in row[0] * row[1] else 2 * y[k, 1] * y[k - 1, 0]
  in r / 9

-- At [[1, 2], [3, 4], [5, 6]]: of k = 2: 30, by (2, 0) 6, by (2, 1) 5; of k = 1: 2 * 4 * 1 = 8, by (1, 1) 2, by (0, 0) 8.
-- ==
-- entry: first
-- input { 2i64 [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] } output { 30.0 [[0.0, 0.0], [0.0, 0.0], [6.0, 5.0]] }
-- input { 1i64 [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] } output { 8.0 [[8.0, 0.0], [0.0, 2.0], [0.0, 0.0]] }
entry first [n] [m] (k: i64) (x: [n][m]f64) : (f64, [n][m]f64) = vjp2 (f k) x 1

-- With the seeds 1 and 10.
-- ==
-- entry: directions
-- input { 2i64 [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] } output { [[[0.0, 0.0], [0.0, 0.0], [6.0, 5.0]], [[0.0, 0.0], [0.0, 0.0], [60.0, 50.0]]] }
-- input { 1i64 [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] } output { [[[8.0, 0.0], [0.0, 2.0], [0.0, 0.0]], [[80.0, 0.0], [0.0, 20.0], [0.0, 0.0]]] }
entry directions [n] [m] (k: i64) (x: [n][m]f64) : [2][n][m]f64 = mjp (f k) x [1, 10]

-- The second derivatives along the table itself: f is of degree 2 in it, so the gradient once more.
-- ==
-- entry: second
-- input { 2i64 [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] } output { [[0.0, 0.0], [0.0, 0.0], [6.0, 5.0]] [[0.0, 0.0], [0.0, 0.0], [6.0, 5.0]] }
-- input { 1i64 [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] } output { [[8.0, 0.0], [0.0, 2.0], [0.0, 0.0]] [[8.0, 0.0], [0.0, 2.0], [0.0, 0.0]] }
entry second [n] [m] (k: i64) (x: [n][m]f64) : ([n][m]f64, [n][m]f64) =
  let g x = vjp (f k) x 1 in (vjp g x x, jvp g x x)

-- One element in both branches, another one only in one; x[1] and x[1] x[2]: by x[1] 1 or x[2], by x[2] 0 or x[1]. What was added before the branch, x[1] x[0], stays.
-- ==
-- entry: common
-- input { true [3.0, 5.0, 7.0] } output { 20.0 [5.0, 4.0, 0.0] }
-- input { false [3.0, 5.0, 7.0] } output { 50.0 [5.0, 10.0, 5.0] }
entry common (c: bool) (x: [3]f64) : (f64, [3]f64) =
  vjp2 (\x -> let y = if c then x[1] else x[1] * x[2] in x[1] * x[0] + y) x 1

-- Too many to be kept one by one: (x0 + … + x5) / 2.
-- ==
-- entry: many
-- input { true [1.0, 2.0, 3.0, 4.0, 5.0, 6.0] } output { 10.5 [0.5, 0.5, 0.5, 0.5, 0.5, 0.5] }
-- input { false [1.0, 2.0, 3.0, 4.0, 5.0, 6.0] } output { 1.0 [0.5, 0.0, 0.0, 0.0, 0.0, 0.0] }
entry many (c: bool) (x: [6]f64) : (f64, [6]f64) =
  vjp2 (\x -> let y = if c then x[0] + x[1] + x[2] + x[3] + x[4] + x[5] else x[0] + 1 in y / 2) x 1

-- The least of a row, in branches: the rows are 10, 10 - z^2 and 10 - 2 z^2, and only the last one of the row of z = 2, with -4 z = -8, is asked for. Where no branch asks,
-- there is no row.
-- ==
-- entry: least
-- input { 1.5 1i64 [1.0, 2.0, 3.0] } output { 3.0 [0.0, -12.0, 0.0] }
-- input { 0.5 1i64 [1.0, 2.0, 3.0] } output { 0.5 [0.0, 0.0, 0.0] }
-- input { -1.0 1i64 [1.0, 2.0, 3.0] } output { -1.0 [0.0, 0.0, 0.0] }
-- input { -1.0 7i64 [1.0] } output { -1.0 [0.0] }
-- input { 1.5 7i64 [1.0] } error: out of bounds
entry least [n] (c: f64) (i: i64) (zs: [n]f64) : (f64, [n]f64) =
  let f zs =
    let rows = map (\z -> map (\k -> 10 - f64.i64 k * z * z) (iota 3)) zs
    in if c > 0 then (if c > 1 then f64.minimum rows[i] * c else c) else c
  in vjp2 f zs 1

-- The least of a row in a branch: of z^2 + k, the first one, with 2 z; of a row without elements there is none.
-- ==
-- entry: lowest
-- input { true 1i64 2i64 [1.0, 2.0, 3.0] } output { 4.0 [0.0, 4.0, 0.0] }
-- input { true 1i64 0i64 [1.0, 2.0, 3.0] } output { f64.inf [0.0, 0.0, 0.0] }
-- input { false 1i64 2i64 [1.0, 2.0, 3.0] } output { 1.0 [0.0, 0.0, 0.0] }
-- input { true 3i64 2i64 [1.0, 2.0, 3.0] } error: out of bounds
entry lowest [n] (c: bool) (i: i64) (m: i64) (zs: [n]f64) : (f64, [n]f64) =
  let f zs =
    let rows = map (\z -> map (\k -> z * z + f64.i64 k) (iota m)) zs
    in if c then f64.minimum rows[i] else 1
  in vjp2 f zs 1
