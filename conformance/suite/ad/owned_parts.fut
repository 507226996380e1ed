-- What is written into a slice has an adjoint of its own, to which more is added: by ys 1 (of the slice) and 2 ys[0] (of the square). [3, 4] at seed 1 each
-- for the array and 1 for the square.
-- ==
-- entry: slice
-- input { [1.0, 2.0, 5.0] [3.0, 4.0] } output { [1.0, 0.0, 0.0] [7.0, 1.0] }
entry slice (xs: [3]f64) (ys: [2]f64): ([3]f64, [2]f64) =
  vjp (\(xs, ys) -> (copy xs with [1:3] = ys, ys[0] * ys[0])) (xs, ys) ([1, 1, 1], 1)

-- The same of a row: [[1, 2], [3, 4]] with [0] = ys.
-- ==
-- entry: row
-- input { [[1.0, 2.0], [5.0, 6.0]] [3.0, 4.0] } output { [[0.0, 0.0], [1.0, 1.0]] [7.0, 1.0] }
entry row (xss: [2][2]f64) (ys: [2]f64): ([2][2]f64, [2]f64) =
  vjp (\(xss, ys) -> (copy xss with [0] = ys, ys[0] * ys[0])) (xss, ys) ([[1, 1], [1, 1]], 1)

-- In a branch the rows of a literal have rows of its adjoint for adjoints, to one of which more is added behind it: 2 xs[0] = 6.
-- ==
-- entry: branch
-- input { true [3.0, 4.0] [5.0, 6.0] } output { [7.0, 2.0] [3.0, 4.0] }
-- input { false [3.0, 4.0] [5.0, 6.0] } output { [9.0, 4.0] [1.0, 2.0] }
entry branch (c: bool) (xs: [2]f64) (ys: [2]f64): ([2]f64, [2]f64) =
  vjp (\(xs, ys) -> (if c then [xs, ys] else [ys, xs], xs[0] * xs[0])) (xs, ys) ([[1, 2], [3, 4]], 1)

-- An operator that writes to its result: products in front, sums behind. [2, 1] and [3, 5] give [6, 6].
-- ==
-- entry: operator
-- input { [[2.0, 1.0], [3.0, 5.0]] } output { [6.0, 6.0] [[3.0, 10.0], [2.0, 10.0]] }
entry operator [n] (xss: [n][2]f64): ([2]f64, [n][2]f64) =
  vjp2 (reduce (\x y -> map2 (+) x y with [0] = x[0] * y[0]) [1, 0]) xss [1, 10]

-- The adjoints of arrays that are rotated, or scanned, get what an element adds in place: (x1 x0, x2 x0, x0 x0): x1 + 10 x2 + 200 x0, x0, 10 x0 at [2, 3, 5]. The
-- prefix sums times x0: of [2, 3, 5] with the seed [1, 10, 100] 2 + 50 + 1000 and 2 * 111, 2 * 110, 2 * 100.
-- ==
-- entry: rotated
-- input { [2.0, 3.0, 5.0] } output { [453.0, 2.0, 20.0] }
-- ==
-- entry: scanned
-- input { [2.0, 3.0, 5.0] } output { [1274.0, 220.0, 200.0] }
entry rotated (xs: [3]f64): [3]f64 = vjp (\xs -> map (* xs[0]) (rotate 1 xs)) xs [1, 10, 100]
entry scanned (xs: [3]f64): [3]f64 = vjp (\xs -> map (* xs[0]) (scan (+) 0 xs)) xs [1, 10, 100]

-- The same of a scan with a general operator: (1 + a) (1 + b) - 1, so [2, 11] for [2, 3], times x0: [4, 22]. By x1: 2 * 3 * 10; by x0: 2 + 2 + 10 (11 + 2 * 4).
-- ==
-- entry: scanned_general
-- input { [2.0, 3.0] } output { [194.0, 60.0] }
entry scanned_general (xs: [2]f64): [2]f64 = vjp (\xs -> map (* xs[0]) (scan (\a b -> a + b + a * b) 0 xs)) xs [1, 10]
