-- O8 (digest 001, 5.3): what reads each element once, at another place, has for an adjoint what reads it back. By hand: the adjoints of
-- [x0, x1, x2] in the order in which they were read.
--
-- reverse, transpose and rotate as they are, and as gathers. Of all that follows only two are histograms: the last, and a
-- rotation by any number, as an index that wraps around has another remainder.
-- ==
-- entry: reversed reversed_gather
-- input { [2.0, 3.0, 5.0] [1.0, 10.0, 100.0] } output { [5.0, 3.0, 2.0] [100.0, 10.0, 1.0] }
-- input { empty([0]f64) empty([0]f64) } output { empty([0]f64) empty([0]f64) }
-- structure { WithAcc 0 UpdAcc 0 Hist 2 }
entry reversed [n] (xs: [n]f64) (seed: [n]f64) : ([n]f64, [n]f64) =
  vjp2 reverse xs seed

entry reversed_gather [n] (xs: [n]f64) (seed: [n]f64) : ([n]f64, [n]f64) =
  vjp2 (\xs -> map (\i -> xs[n - 1 - i]) (iota n)) xs seed

-- ==
-- entry: transposed transposed_gather
-- input { [[2.0, 3.0, 5.0], [7.0, 11.0, 13.0]] [[1.0, 2.0], [10.0, 20.0], [100.0, 200.0]] }
-- output { [[2.0, 7.0], [3.0, 11.0], [5.0, 13.0]] [[1.0, 10.0, 100.0], [2.0, 20.0, 200.0]] }
-- input { empty([0][3]f64) empty([3][0]f64) } output { empty([3][0]f64) empty([0][3]f64) }
entry transposed [n] [m]
                 (xs: [n][m]f64)
                 (seed: [m][n]f64) : ([m][n]f64, [n][m]f64) =
  vjp2 transpose xs seed

entry transposed_gather [n] [m]
                        (xs: [n][m]f64)
                        (seed: [m][n]f64) : ([m][n]f64, [n][m]f64) =
  vjp2 (\xs -> tabulate_2d m n (\j i -> xs[i, j])) xs seed

-- ==
-- entry: rotated rotated_gather
-- input { 1i64 [2.0, 3.0, 5.0] [1.0, 10.0, 100.0] } output { [3.0, 5.0, 2.0] [100.0, 1.0, 10.0] }
-- input { -1i64 [2.0, 3.0, 5.0] [1.0, 10.0, 100.0] } output { [5.0, 2.0, 3.0] [10.0, 100.0, 1.0] }
entry rotated [n] (r: i64) (xs: [n]f64) (seed: [n]f64) : ([n]f64, [n]f64) =
  vjp2 (rotate r) xs seed

entry rotated_gather [n]
                     (r: i64)
                     (xs: [n]f64)
                     (seed: [n]f64) : ([n]f64, [n]f64) =
  vjp2 (\xs -> map (\i -> xs[(i + r) % n]) (iota n)) xs seed

-- ==
-- entry: rotated_within
-- input { 1i64 [2.0, 3.0, 5.0] [1.0, 10.0, 100.0] } output { [100.0, 1.0, 10.0] }
-- input { -1i64 [2.0, 3.0, 5.0] [1.0, 10.0, 100.0] } output { [10.0, 100.0, 1.0] }
entry rotated_within [n] (r: i64) (xs: [n]f64) (seed: [n]f64) : [n]f64 =
  let k = r % n
  in vjp (\xs -> map (\i -> xs[(i + k) % n]) (iota n)) xs seed

-- ==
-- entry: rotated_by_two
-- input { [2.0, 3.0, 5.0] [1.0, 10.0, 100.0] } output { [10.0, 100.0, 1.0] }
entry rotated_by_two [n] (xs: [n]f64) (seed: [n]f64) : [n]f64 =
  vjp (\xs ->
         map (\i -> xs[(2 - i) % n] + xs[(i + 2) % n] - xs[(2 - i) % n])
             (iota n))
      xs
      seed

-- A part, from the front and from the back, and the differences of neighbours, which read each element twice: a seed of [1, 10] for x1 - x0 and
-- x2 - x1 gives -1, 1 - 10, 10.
-- ==
-- entry: behind
-- input { [2.0, 3.0, 5.0] [1.0, 10.0] } output { [0.0, 1.0, 10.0] }
-- input { [2.0] empty([0]f64) } output { [0.0] }
entry behind [n] (xs: [n]f64) (seed: [n - 1]f64) : [n]f64 =
  vjp (\xs -> map (\i -> xs[i + 1]) (iota (n - 1))) xs seed

-- ==
-- entry: from_back
-- input { 1i64 [2.0, 3.0, 5.0, 7.0] [1.0, 10.0] } output { [0.0, 10.0, 1.0, 0.0] }
-- input { 0i64 [2.0, 3.0] [1.0, 10.0] } output { [10.0, 1.0] }
entry from_back [n] [m] (k: i64) (xs: [n]f64) (seed: [m]f64) : [n]f64 =
  vjp (\xs -> map (\i -> xs[n - 1 - k - i]) (iota m)) xs seed

-- ==
-- entry: differences
-- input { [2.0, 3.0, 5.0] [1.0, 10.0] } output { [-1.0, -9.0, 10.0] }
-- input { [2.0] empty([0]f64) } output { [0.0] }
entry differences [n] (xs: [n]f64) (seed: [n - 1]f64) : [n]f64 =
  vjp (\xs -> map (\i -> xs[i + 1] - xs[i]) (iota (n - 1))) xs seed

-- In both dimensions: a corner turned around. x[2, 1] 1, x[2, 0] 10, x[1, 1] 100, x[1, 0] 1000.
-- ==
-- entry: corner
-- input { [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] [[1.0, 10.0], [100.0, 1000.0]] }
-- output { [[0.0, 0.0], [1000.0, 100.0], [10.0, 1.0]] }
entry corner [n] [m] [k] (xs: [n][m]f64) (seed: [k][m]f64) : [n][m]f64 =
  vjp (\xs -> tabulate_2d k m (\i j -> xs[n - 1 - i, m - 1 - j])) xs seed

-- An index out of range fails, in the derivative, too; the two indices of a trip that is none are none.
-- ==
-- entry: beyond
-- input { 2i64 [2.0, 3.0, 5.0] [1.0, 10.0] } error: out of bounds
-- input { 1i64 [2.0, 3.0, 5.0] [1.0, 10.0] } output { [0.0, 1.0, 10.0] }
-- input { 100i64 [2.0, 3.0, 5.0] empty([0]f64) } output { [0.0, 0.0, 0.0] }
entry beyond [n] [m] (k: i64) (xs: [n]f64) (seed: [m]f64) : [n]f64 =
  vjp (\xs -> map (\i -> xs[i + k]) (iota m)) xs seed

-- Twice the same element: that is not invertible, and stays what it is.
-- ==
-- entry: halves
-- input { [2.0, 3.0] [1.0, 10.0, 100.0] } output { [11.0, 100.0] }
entry halves [n] [m] (xs: [n]f64) (seed: [m]f64) : [n]f64 =
  vjp (\xs -> map (\i -> xs[i / 2]) (iota m)) xs seed
