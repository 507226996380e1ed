-- Sparse Jacobians and Hessians. Expected values by hand.
import "/prelude/lib/ad"

def same [n][m] (a: [n][m]f64) (b: [n][m]f64) : bool = and (map2 (\a b -> and (map2 (==) a b)) a b)

-- y[i] = x[i-1] x[i] + x[i+1]^2, with 0 for what x does not have. The partial of y[0] by x[0] is the constant 0, a factor, and therefore in the pattern.
def at [n] (x: [n]f64) (i: i64) : f64 = if 0 <= i && i < n then x[i] else 0
def band [n] (x: [n]f64) : [n]f64 = map (\i -> at x (i - 1) * x[i] + at x (i + 1) ** 2) (iota n)

-- Row i has x[i], x[i-1], 2x[i+1] at i-1, i, i+1. Columns that are three apart have the same colour; the two with three elements are coloured first.
-- ==
-- entry: tridiagonal
-- input { [1.0, 2.0, 3.0, 4.0] }
-- output { [0i64, 2i64, 5i64, 8i64, 10i64] [0i64, 1i64, 0i64, 1i64, 2i64, 1i64, 2i64, 3i64, 2i64, 3i64] [2i64, 0i64, 1i64, 2i64]
--          [0.0, 4.0, 2.0, 1.0, 6.0, 3.0, 2.0, 8.0, 4.0, 3.0] [0.0, 4.0, 2.0, 1.0, 6.0, 3.0, 2.0, 8.0, 4.0, 3.0]
--          [[0.0, 4.0, 0.0, 0.0], [2.0, 1.0, 6.0, 0.0], [0.0, 3.0, 2.0, 8.0], [0.0, 0.0, 4.0, 3.0]] true }
entry tridiagonal [n] (x: [n]f64) : ([n+1]i64, []i64, [n]i64, []f64, []f64, [n][n]f64, bool) =
  let p = sparsity_csr band x
  let colours = colour_columns n p
  let forward = sparse_jacfwd band p colours x
  let dense = of_csr n 0 p forward
  in (p.offsets, p.columns, colours, forward, sparse_jacrev band p (colour_rows n p) x, dense, same dense (jacfwd band x))

-- Enough for several rounds of eighths and blocks of directions: 3n - 2 elements, three colours; the same as the dense one.
-- ==
-- entry: many
-- input { 8i64 } output { 22i64 3i64 3i64 true true }
-- input { 9i64 } output { 25i64 3i64 3i64 true true }
-- input { 65i64 } output { 193i64 3i64 3i64 true true }
-- input { 150i64 } output { 448i64 3i64 3i64 true true }
entry many (n: i64) : (i64, i64, i64, bool, bool) =
  let x = map f64.i64 (iota n)
  let p = sparsity_csr band x
  let (columns, rows) = (colour_columns n p, colour_rows n p)
  let dense = jacfwd band x
  in ( length p.columns, num_colours columns, num_colours rows, same dense (of_csr n 0 p (sparse_jacobian band p x))
     , same dense (of_csr n 0 p (sparse_jacrev band p rows x)) )

-- An arrow, y[0] = the sum of all x, y[i] = x[0] x[i]: all columns meet in row 0, all rows in column 0.
-- ==
-- entry: arrow
-- input { [2.0, 3.0, 4.0] } output { 3i64 3i64 [[1.0, 1.0, 1.0], [3.0, 2.0, 0.0], [4.0, 0.0, 2.0]] [1.0, 1.0, 1.0, 3.0, 2.0, 4.0, 2.0] }
entry arrow [n] (x: [n]f64) : (i64, i64, [n][n]f64, []f64) =
  let f (x: [n]f64) : [n]f64 = map (\i -> if i == 0 then f64.sum x else x[0] * x[i]) (iota n)
  let p = sparsity_csr f x
  let values = sparse_jacobian f p x
  in (num_colours (colour_columns n p), num_colours (colour_rows n p), of_csr n 0 p values, values)

-- A wide one, (the sum of all x, x[0] x[1]): a colour for each of five columns, but two for the rows; and a tall one, (ab, a, b, 7): two for the columns, three for
-- the rows, the last of which has nothing to meet.
-- ==
-- entry: oblong
-- input { [2.0, 3.0, 4.0, 5.0, 6.0] [2.0, 3.0] }
-- output { 5i64 2i64 [[1.0, 1.0, 1.0, 1.0, 1.0], [3.0, 2.0, 0.0, 0.0, 0.0]] 2i64 2i64 [[3.0, 2.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.0]] }
entry oblong (x: [5]f64) (y: [2]f64) : (i64, i64, [2][5]f64, i64, i64, [4][2]f64) =
  let wide (x: [5]f64) = [f64.sum x, x[0] * x[1]]
  let tall (x: [2]f64) = [x[0] * x[1], x[0], x[1], 7]
  let (p, q) = (sparsity_csr wide x, sparsity_csr tall y)
  in ( num_colours (colour_columns 5 p), num_colours (colour_rows 5 p), of_csr 5 0 p (sparse_jacobian wide p x)
     , num_colours (colour_columns 2 q), num_colours (colour_rows 2 q), of_csr 2 0 q (sparse_jacobian tall q y) )

-- A diagonal: one colour.
-- ==
-- entry: diagonal
-- input { [1.0, 2.0, 3.0] } output { [0i64, 1i64, 2i64, 3i64] [0i64, 1i64, 2i64] [0i64, 0i64, 0i64] [2.0, 4.0, 6.0] }
-- input { empty([0]f64) } output { [0i64] empty([0]i64) empty([0]i64) empty([0]f64) }
entry diagonal [n] (x: [n]f64) : ([n+1]i64, []i64, [n]i64, []f64) =
  let f x = map (** 2) x
  let p = sparsity_csr f x
  in (p.offsets, p.columns, colour_columns n p, sparse_jacobian f p x)

-- Nothing that depends on anything, m numbers of it.
-- ==
-- entry: constant
-- input { 2i64 [1.0, 2.0, 3.0] } output { [0i64, 0i64, 0i64] empty([0]f64) empty([0]f64) [[false, false, false], [false, false, false]] }
-- input { 0i64 [1.0, 2.0, 3.0] } output { [0i64] empty([0]f64) empty([0]f64) empty([0][3]bool) }
-- input { 2i64 empty([0]f64) } output { [0i64, 0i64, 0i64] empty([0]f64) empty([0]f64) empty([2][0]bool) }
-- input { 0i64 empty([0]f64) } output { [0i64] empty([0]f64) empty([0]f64) empty([0][0]bool) }
entry constant [n] (m: i64) (x: [n]f64) : ([]i64, []f64, []f64, [m][n]bool) =
  let f (_: [n]f64) : [m]f64 = replicate m 7
  let p = sparsity_csr f x
  in (p.offsets, sparse_jacfwd f p (colour_columns n p) x, sparse_jacrev f p (colour_rows n p) x, sparsity f x)

-- At (0, 0) all these partials but that of the max are zero; the pattern has them but for the one through an integer and that of the sign. The max is x[0] there; at
-- (0, 1) it is x[1].
-- ==
-- entry: coincidences
-- input { [0.0, 0.0] [0.0, 1.0] }
-- output { [[true, true], [true, false], [true, false], [false, true], [true, false], [false, false], [true, false]] [false, true]
--          [[0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [1.0, 0.0]] }
entry coincidences (x: [2]f64) (y: [2]f64) : ([7][2]bool, [2]bool, [7][2]f64) =
  let f (x: [2]f64) = [x[0] * x[1], x[0] ** 2, x[0] - x[0], 0 * x[1], x[0] * f64.i64 (i64.f64 x[1]), f64.sgn x[1], f64.max x[0] x[1]]
  in (sparsity f x, last (sparsity f y), jacfwd f x)

-- The patterns at (1, 2, 3) and (2, 1, -3) lack what the other has; united, they serve both points.
-- ==
-- entry: united
-- input { [1.0, 2.0, 3.0] [2.0, 1.0, -3.0] }
-- output { [[false, true, false], [true, false, false], [true, false, false]] [[true, false, false], [false, true, false], [true, false, false]]
--          [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]] [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]] }
entry united (x: [3]f64) (y: [3]f64) : ([3][3]bool, [3][3]bool, [3][3]f64, [3][3]f64) =
  let f (x: [3]f64) = [f64.max x[0] x[1], if x[2] > 0 then x[0] else x[1], x[0]]
  let (a, b) = (sparsity f x, sparsity f y)
  let p = to_csr (map2 (map2 (||)) a b)
  in (a, b, of_csr 3 0 p (sparse_jacobian f p x), of_csr 3 0 p (sparse_jacobian f p y))

-- A chain of Rosenbrock's terms: 2 - 400(x[i+1] - 3x[i]^2), but for the last, and 200, but for the first, on the diagonal, and -400x[i] beside it. Three colours.
def chain [n] (x: [n]f64) : f64 = f64.sum (map (\i -> (1 - x[i]) ** 2 + 100 * (x[i+1] - x[i] ** 2) ** 2) (iota (n - 1)))

-- ==
-- entry: rosenbrocks
-- input { [1.0, 2.0, 3.0, 4.0] }
-- output { 3i64 [402.0, -400.0, -400.0, 3802.0, -800.0, -800.0, 9402.0, -1200.0, -1200.0, 200.0]
--          [[402.0, -400.0, 0.0, 0.0], [-400.0, 3802.0, -800.0, 0.0], [0.0, -800.0, 9402.0, -1200.0], [0.0, 0.0, -1200.0, 200.0]] true }
-- input { [0.0, 0.0] } output { 2i64 [2.0, 0.0, 0.0, 200.0] [[2.0, 0.0], [0.0, 200.0]] true }
entry rosenbrocks [n] (x: [n]f64) : (i64, []f64, [n][n]f64, bool) =
  let p = hessian_sparsity_csr chain x
  let colours = colour_symmetric p
  let values = sparse_hessian chain p colours x
  let dense = of_csr n 0 p values
  in (num_colours colours, values, dense, same dense (hessian chain x))

-- z times the sum of x^2, where z comes last: 2z on the diagonal, 2x beside it. Two colours, where columns need one each, which do as well.
-- ==
-- entry: star
-- input { [1.0, 2.0, 3.0, 4.0] }
-- output { 2i64 4i64 [[8.0, 0.0, 0.0, 2.0], [0.0, 8.0, 0.0, 4.0], [0.0, 0.0, 8.0, 6.0], [2.0, 4.0, 6.0, 0.0]] true true }
entry star [n] (x: [n]f64) : (i64, i64, [n][n]f64, bool, bool) =
  let f (x: [n]f64) = x[n-1] * f64.sum (map (** 2) (init x))
  let p = hessian_sparsity_csr f x
  let (a, b) = (colour_symmetric p, colour_columns n p)
  let dense = of_csr n 0 p (sparse_hessian f p a x)
  in (num_colours a, num_colours b, dense, same dense (hessian f x), same dense (of_csr n 0 p (sparse_hessian f p b x)))

-- The Laplacian of a grid of 6 by 6, half of its quadratic form: what the colours give is what the pattern was made from.
-- ==
-- entry: grid
-- input { 6i64 } output { 156i64 true true }
entry grid (n: i64) : (i64, bool, bool) =
  let beside a b = i64.abs (a / n - b / n) + i64.abs (a % n - b % n) == 1
  let matrix = tabulate_2d (n * n) (n * n) (\a b -> if a == b then 4 else -f64.bool (beside a b))
  let f (x: [n*n]f64) = f64.sum (map2 (\a row -> a * f64.sum (map2 (*) row x)) x matrix) / 2
  let p = to_csr (map (map (!= 0)) matrix)
  let (a, b) = (colour_symmetric p, colour_columns (n * n) p)
  in (length p.columns, num_colours a <= num_colours b, same matrix (of_csr (n * n) 0 p (sparse_hessian f p a (replicate (n * n) 0))))

-- Of a matrix of truth values, and transposed; back again.
-- ==
-- entry: conversions
-- input { [[false, true, true], [false, false, false], [true, false, true]] [1, 2, 3, 4] }
-- output { [0i64, 2i64, 2i64, 4i64] [1i64, 2i64, 0i64, 2i64] [0i64, 1i64, 2i64, 4i64] [2i64, 0i64, 0i64, 2i64] [[-1, 1, 2], [-1, -1, -1], [3, -1, 4]] }
entry conversions [m][n] (p: [m][n]bool) (values: []i32) : ([m+1]i64, []i64, [n+1]i64, []i64, [m][n]i32) =
  let p = to_csr p
  let q = transpose_csr n p
  in (p.offsets, p.columns, q.offsets, q.columns, of_csr n (-1) p (map (\i -> values[i]) (indices p.columns)))

-- The values have derivatives: of the elements 2x of the squares' Jacobian, 2.
-- ==
-- entry: second
-- input { [1.0, 2.0] } output { [2.0, 2.0] [2.0, 2.0] }
entry second [n] (x: [n]f64) : ([n]f64, [n]f64) =
  let f x = map (** 2) x
  let p = sparsity_csr f x
  let g x = f64.sum (sparse_jacfwd f p (colour_columns n p) x)
  in (grad g x, partials g x)

-- The same for f32, at points where all that is expected is exact.

def at_f32 [n] (x: [n]f32) (i: i64) : f32 = if 0 <= i && i < n then x[i] else 0
def band_f32 [n] (x: [n]f32) : [n]f32 = map (\i -> at_f32 x (i - 1) * x[i] + at_f32 x (i + 1) ** 2) (iota n)

-- Row i of the Jacobian of `band` has x[i], x[i-1], 2x[i+1] at i-1, i, i+1. At (1/2, -3/2, 2, 3, -1/4) that is
--   row 0:         0,         2 * -3/2 = -3
--   row 1:  x[1] = -3/2,  x[0] = 1/2,   2 * 2 = 4
--   row 2:  x[2] = 2,     x[1] = -3/2,  2 * 3 = 6
--   row 3:  x[3] = 3,     x[2] = 2,     2 * -1/4 = -1/2
--   row 4:  x[4] = -1/4,  x[3] = 3.
-- Columns 1, 2 and 3 have three elements and are coloured first: 1 gets colour 0, and meets 2, 3 and 0, but not 4; 2 gets 1, and meets 3 and 0, which get 2.
-- ==
-- entry: tridiagonal_f32
-- input { [0.5f32, -1.5f32, 2.0f32, 3.0f32, -0.25f32] }
-- output { [0i64, 2i64, 5i64, 8i64, 11i64, 13i64] [0i64, 1i64, 0i64, 1i64, 2i64, 1i64, 2i64, 3i64, 2i64, 3i64, 4i64, 3i64, 4i64] [2i64, 0i64, 1i64, 2i64, 0i64]
--          [0.0f32, -3.0f32, -1.5f32, 0.5f32, 4.0f32, 2.0f32, -1.5f32, 6.0f32, 3.0f32, 2.0f32, -0.5f32, -0.25f32, 3.0f32]
--          [0.0f32, -3.0f32, -1.5f32, 0.5f32, 4.0f32, 2.0f32, -1.5f32, 6.0f32, 3.0f32, 2.0f32, -0.5f32, -0.25f32, 3.0f32]
--          [[0.0f32, -3.0f32, 0.0f32, 0.0f32, 0.0f32], [-1.5f32, 0.5f32, 4.0f32, 0.0f32, 0.0f32], [0.0f32, 2.0f32, -1.5f32, 6.0f32, 0.0f32],
--           [0.0f32, 0.0f32, 3.0f32, 2.0f32, -0.5f32], [0.0f32, 0.0f32, 0.0f32, -0.25f32, 3.0f32]] }
entry tridiagonal_f32 [n] (x: [n]f32) : ([n+1]i64, []i64, [n]i64, []f32, []f32, [n][n]f32) =
  let p = sparsity_csr_f32 band_f32 x
  let colours = colour_columns n p
  let forward = sparse_jacfwd_f32 band_f32 p colours x
  in (p.offsets, p.columns, colours, forward, sparse_jacrev_f32 band_f32 p (colour_rows n p) x, of_csr n 0 p forward)

-- Several rounds, as above: 3n - 2 elements, three colours; the same as the dense one.
-- ==
-- entry: many_f32
-- input { 9i64 } output { 25i64 3i64 true }
-- input { 150i64 } output { 448i64 3i64 true }
entry many_f32 (n: i64) : (i64, i64, bool) =
  let x = map f32.i64 (iota n)
  let p = sparsity_csr_f32 band_f32 x
  let exact = map (map f64.f32)
  in ( length p.columns, num_colours (colour_columns n p)
     , same (exact (jacfwd_f32 band_f32 x)) (exact (of_csr n 0 p (sparse_jacobian_f32 band_f32 p x))) )

-- At (1/2, -2, 4), (the sum of all x, x[0] x[1]) has the rows (1, 1, 1) and (x[1], x[0], 0): a colour for each of three columns, two for the rows, so reverse
-- mode. And (x[0] x[2], x[1] x[2], x[2]) has (x[2], 0, x[0]), (0, x[2], x[1]) and (0, 0, 1): two for the columns, three for the rows, so forward mode.
-- ==
-- entry: modes_f32
-- input { [0.5f32, -2.0f32, 4.0f32] }
-- output { 3i64 2i64 [1.0f32, 1.0f32, 1.0f32, -2.0f32, 0.5f32] 2i64 3i64 [4.0f32, 0.5f32, 4.0f32, -2.0f32, 1.0f32] }
entry modes_f32 (x: [3]f32) : (i64, i64, []f32, i64, i64, []f32) =
  let wide (x: [3]f32) = [f32.sum x, x[0] * x[1]]
  let tall (x: [3]f32) = [x[0] * x[2], x[1] * x[2], x[2]]
  let (p, q) = (sparsity_csr_f32 wide x, sparsity_csr_f32 tall x)
  in ( num_colours (colour_columns 3 p), num_colours (colour_rows 3 p), sparse_jacobian_f32 wide p x
     , num_colours (colour_columns 3 q), num_colours (colour_rows 3 q), sparse_jacobian_f32 tall q x )

-- At (0, 0) all these partials but that of the max, which is x[0] there, are zero; the pattern has them but for the one through an integer. 1e-60 is 0 in f32,
-- whose least positive number is 1.4e-45. The fifth goes by way of f64.
-- ==
-- entry: coincidences_f32
-- input { [0.0f32, 0.0f32] }
-- output { [[true, true], [true, false], [false, true], [true, false], [true, true], [true, false], [true, false]]
--          [[0.0f32, 0.0f32], [0.0f32, 0.0f32], [0.0f32, 0.0f32], [0.0f32, 0.0f32], [0.0f32, 0.0f32], [0.0f32, 0.0f32], [1.0f32, 0.0f32]] }
entry coincidences_f32 (x: [2]f32) : ([7][2]bool, [7][2]f32) =
  let f (x: [2]f32) =
    [ x[0] * x[1], x[0] - x[0], 0 * x[1], 1e-30 * (1e-30 * x[0]), f32.f64 (f64.f32 x[0] * f64.f32 x[1]), x[0] * f32.i64 (i64.f32 x[1])
    , f32.max x[0] x[1] ]
  let p = sparsity_csr_f32 f x
  in (sparsity_f32 f x, of_csr 2 0 p (sparse_jacobian_f32 f p x))

-- An arrow: x[0]^3 plus the sum of x[0] x[i]^2, for i from 1. Its gradient is 3x[0]^2 plus the sum of x[i]^2, and 2x[0] x[i]; so the Hessian has 6x[0] in the
-- corner, 2x[i] beside and below it, 2x[0] on the rest of the diagonal. At (1/2, 1, -2, 13/4) that is 3, then 2, -4, 13/2, then 1. Column 0 comes first and
-- needs all its rows; the others need only the diagonal for themselves, as row 0 is known. Two colours, where columns that meet in no row take four.
-- ==
-- entry: arrow_f32
-- input { [0.5f32, 1.0f32, -2.0f32, 3.25f32] }
-- output { [0i64, 4i64, 6i64, 8i64, 10i64] [0i64, 1i64, 2i64, 3i64, 0i64, 1i64, 0i64, 2i64, 0i64, 3i64] [0i64, 1i64, 1i64, 1i64] 4i64
--          [3.0f32, 2.0f32, -4.0f32, 6.5f32, 2.0f32, 1.0f32, -4.0f32, 1.0f32, 6.5f32, 1.0f32]
--          [[3.0f32, 2.0f32, -4.0f32, 6.5f32], [2.0f32, 1.0f32, 0.0f32, 0.0f32],
--           [-4.0f32, 0.0f32, 1.0f32, 0.0f32], [6.5f32, 0.0f32, 0.0f32, 1.0f32]] }
entry arrow_f32 [n] (x: [n]f32) : ([n+1]i64, []i64, [n]i64, i64, []f32, [n][n]f32) =
  let f (x: [n]f32) = x[0] ** 3 + f32.sum (map (\a -> x[0] * a ** 2) (tail x))
  let p = hessian_sparsity_csr_f32 f x
  let colours = colour_symmetric p
  let values = sparse_hessian_f32 f p colours x
  in (p.offsets, p.columns, colours, num_colours (colour_columns n p), values, of_csr n 0 p values)

-- Rosenbrock's chain, with the derivatives above, at (1/2, 1, -1): on the diagonal 2 - 400(1 - 3/4) = -98, 200 + 2 - 400(-1 - 3) = 1802, 200; beside it
-- -400 * 1/2 = -200 and -400 * 1. Column 1 comes first and needs all rows; then the other two need only the diagonal: two colours.
-- ==
-- entry: rosenbrocks_f32
-- input { [0.5f32, 1.0f32, -1.0f32] }
-- output { [1i64, 0i64, 1i64] [-98.0f32, -200.0f32, -200.0f32, 1802.0f32, -400.0f32, -400.0f32, 200.0f32]
--          [[-98.0f32, -200.0f32, 0.0f32], [-200.0f32, 1802.0f32, -400.0f32], [0.0f32, -400.0f32, 200.0f32]] }
entry rosenbrocks_f32 [n] (x: [n]f32) : ([n]i64, []f32, [n][n]f32) =
  let chain (x: [n]f32) : f32 = f32.sum (map (\i -> (1 - x[i]) ** 2 + 100 * (x[i+1] - x[i] ** 2) ** 2) (iota (n - 1)))
  let p = hessian_sparsity_csr_f32 chain x
  let colours = colour_symmetric p
  let values = sparse_hessian_f32 chain p colours x
  in (colours, values, of_csr n 0 p values)

-- The values have derivatives: the cubes' Jacobian has the elements 3x^2, whose sum has the gradient 6x.
-- ==
-- entry: second_f32
-- input { [1.0f32, -0.5f32] } output { [6.0f32, -3.0f32] [6.0f32, -3.0f32] }
entry second_f32 [n] (x: [n]f32) : ([n]f32, [n]f32) =
  let f x = map (** 3) x
  let p = sparsity_csr_f32 f x
  let g x = f32.sum (sparse_jacfwd_f32 f p (colour_columns n p) x)
  in (grad_f32 g x, partials_f32 g x)
