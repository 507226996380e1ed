-- R30 (digest 002, 5.2): scans of arrays. Expected values by hand.

-- Elementwise products: each column is a scan with (*): [2, 3, 4] and [5, 6, 7] with ones: [16, 10, 6] and [1 + 6 + 42, 5 + 35, 30].
-- ==
-- entry: elementwise
-- input { [[2.0, 5.0], [3.0, 6.0], [4.0, 7.0]] }
-- output { [[2.0, 5.0], [6.0, 30.0], [24.0, 210.0]] [[16.0, 49.0], [10.0, 40.0], [6.0, 30.0]] }
-- input { empty([0][2]f64) } output { empty([0][2]f64) empty([0][2]f64) }
-- input { empty([2][0]f64) } output { empty([2][0]f64) empty([2][0]f64) }
entry elementwise [n] [m] (xs: [n][m]f64): ([n][m]f64, [n][m]f64) =
  vjp2 (scan (map2 (*)) (replicate m 1)) xs (replicate n (replicate m 1))

-- Elementwise x + y + k x y, k another in each column: of 0.5 it is R27's, [8, 5.25, 3] and 19, of 1 it is (1 + x) (1 + y) - 1: [16, 10,
-- 6], and with e1 + k e2 + k^2 e3 2 + (11 + 12) = 25.
-- ==
-- entry: elementwise_free
-- input { [0.5, 1.0] [[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]] }
-- output { [[1.0, 1.0], [4.0, 5.0], [13.0, 23.0]] [19.0, 25.0] [[8.0, 16.0], [5.25, 10.0], [3.0, 6.0]] }
entry elementwise_free [n] [m] (ks: [m]f64) (xs: [n][m]f64): ([n][m]f64, [m]f64, [n][m]f64) =
  let f (ks: [m]f64, xs) = scan (map3 (\k x y -> x + y + k * x * y) ks) (replicate m 0) xs
  let (y, (ks', xs')) = vjp2 f (ks, xs) (replicate n (replicate m 1))
  in (y, ks', xs')

-- Of two levels of maps.
-- ==
-- entry: twice
-- input { [[[2.0, 5.0]], [[3.0, 6.0]], [[4.0, 7.0]]] } output { [[[16.0, 49.0]], [[10.0, 40.0]], [[6.0, 30.0]]] }
entry twice [n] [m] [l] (xs: [n][m][l]f64): [n][m][l]f64 =
  vjp (scan (map2 (map2 (*))) (replicate m (replicate l 1))) xs (replicate n (replicate m (replicate l 1)))

-- An operator that is no map: linear recurrences, R29's.
-- ==
-- entry: recurrence
-- input { [[2.0, 1.0], [3.0, 5.0], [4.0, 6.0]] [[1.0, 1.0], [1.0, 10.0], [1.0, 100.0]] }
-- output { [[2.0, 1.0], [6.0, 8.0], [24.0, 38.0]] [[16.0, 1231.0], [420.0, 410.0], [806.0, 100.0]] }
entry recurrence [n] (xs: [n][2]f64) (adj: [n][2]f64): ([n][2]f64, [n][2]f64) =
  let op (x: [2]f64) (y: [2]f64): [2]f64 = [x[0] * y[0], x[1] * y[0] + y[1]]
  in vjp2 (scan op [1, 0]) xs adj

-- Matrices, with sums in the operator; R29's product of 2x2 matrices.
-- ==
-- entry: matrices
-- input { [[[1.0, 2.0], [3.0, 4.0]], [[0.0, 1.0], [2.0, -1.0]], [[2.0, 1.0], [1.0, 3.0]]]
--         [[[1.0, 10.0], [100.0, 1000.0]], [[2.0, 3.0], [5.0, 7.0]], [[-1.0, 1.0], [4.0, 6.0]]] }
-- output { [[[1.0, 2.0], [3.0, 4.0]], [[4.0, -1.0], [8.0, -1.0]], [[7.0, 1.0], [15.0, 5.0]]]
--          [[[6.0, 7.0], [129.0, 1009.0]], [[58.0, 92.0], [78.0, 126.0]], [[28.0, 52.0], [-3.0, -7.0]]] }
entry matrices [n] (ms: [n][2][2]f64) (adj: [n][2][2]f64): ([n][2][2]f64, [n][2][2]f64) =
  let times (a: [2][2]f64) (b: [2][2]f64): [2][2]f64 =
    map (\row -> map (\col -> f64.sum (map2 (*) row col)) (transpose b)) a
  in vjp2 (scan times [[1, 0], [0, 1]]) ms adj

-- A pair of an array and a number: products of numbers, and what they scale. (x, a) (y, b) = (map (* b) x + y, a b): column by column R29's
-- recurrence.
-- ==
-- entry: with_number
-- input { [[1.0, 1.0], [5.0, 5.0], [6.0, 6.0]] [2.0, 3.0, 4.0] [[1.0, 0.0], [10.0, 0.0], [100.0, 0.0]] [1.0, 1.0, 1.0] }
-- output { [[1.0, 1.0], [8.0, 8.0], [38.0, 38.0]] [[1231.0, 0.0], [410.0, 0.0], [100.0, 0.0]] [16.0, 420.0, 806.0] }
entry with_number [n] [m] (xs: [n][m]f64) (as: [n]f64) (x_bar: [n][m]f64) (a_bar: [n]f64): ([n][m]f64, [n][m]f64, [n]f64) =
  let op (x, a) (y, b) = (map2 (\x y -> x * b + y) x y, a * b)
  let f (xs: [n][m]f64, as: [n]f64) = unzip (scan op (replicate m 0, 1) (zip xs as))
  let ((y, _), (xs', as')) = vjp2 f (xs, as) (x_bar, a_bar)
  in (y, xs', as')
