-- A15, A17, A18 (digest 001): folds whose operator has free variables and indices, with any start, by rows, and of tuples. Expected values
-- by hand.

-- A17: z := z c + a over [a, b, d] from z: z c^3 + a c^2 + b c + d. At z = 5, c = 2, [1, 3, 4]: 40 + 4 + 6 + 4; by z 8, by c 3 z c^2 + 2 a
-- c + b = 67, by the elements 4, 2, 1.
-- ==
-- entry: horner
-- input { 5.0 2.0 [1.0, 3.0, 4.0] } output { 54.0 8.0 67.0 [4.0, 2.0, 1.0] }
-- input { 5.0 2.0 empty([0]f64) } output { 5.0 1.0 0.0 empty([0]f64) }
entry horner [n] (z: f64) (c: f64) (xs: [n]f64): (f64, f64, f64, [n]f64) =
  let (y, (z', c', xs')) = vjp2 (\(z, c, xs) -> foldl (\y x -> y * c + x) z xs) (z, c, xs) 1
  in (y, z', c', xs')

-- The operator indexes: y := y cs[k] + 1 for the indices [1, 0, 1], from z: ((z d + 1) c + 1) d + 1. At z = 1, c = 2, d = 3: 8, 9, 28; by z
-- d c d = 18; by c (z d + 1) d = 12; by d z c d + 9 = 15.
-- ==
-- entry: indexes
-- input { 1.0 [2.0, 3.0] [1i64, 0i64, 1i64] } output { 28.0 18.0 [12.0, 15.0] }
entry indexes [n] [m] (z: f64) (cs: [m]f64) (ks: [n]i64): (f64, f64, [m]f64) =
  let (y, (z', cs')) = vjp2 (\(z, cs) -> foldl (\y k -> y * cs[k] + 1) z ks) (z, cs) 1
  in (y, z', cs')

-- A15: products of rows, one with a zero, one with two, one of a single element.
-- ==
-- entry: rows
-- input { [[2.0, 0.0, 3.0], [0.0, 0.0, 3.0], [2.0, 4.0, 5.0]] [1.0, 10.0, 100.0] }
-- output { [[0.0, 6.0, 0.0], [0.0, 0.0, 0.0], [2000.0, 1000.0, 800.0]] }
-- input { [[7.0]] [3.0] } output { [[3.0]] }
-- input { empty([2][0]f64) [1.0, 2.0] } output { empty([2][0]f64) }
-- input { empty([0][3]f64) empty([0]f64) } output { empty([0][3]f64) }
entry rows [n] [m] (xs: [n][m]f64) (adj: [n]f64): [n][m]f64 = vjp (map f64.product) xs adj

-- A18: the largest and its index; the index has no derivative, and another array is read there: x times ws[i].
-- ==
-- entry: argmax
-- input { [1.0, 4.0, 3.0] [5.0, 6.0, 7.0] } output { 24.0 1i64 [0.0, 6.0, 0.0] [0.0, 4.0, 0.0] }
entry argmax [n] (xs: [n]f64) (ws: [n]f64): (f64, i64, [n]f64, [n]f64) =
  let larger (x, i) (y, j) = if x > y || (x == y && i < j) then (x, i) else (y, j)
  let f (xs, ws: [n]f64) = let (x, i) = reduce larger (-f64.inf, i64.highest) (zip xs (iota n)) in (x * ws[i], i)
  let ((y, i), (xs', ws')) = vjp2 f (xs, ws) (1, 0)
  in (y, i, xs', ws')

-- A18: complex products, (1 + 2i) (3 + 4i) (0 + 1i) = -10 - 5i. By each z the conjugate of the others' product times the adjoint 1 + 10i:
-- the others are -4 + 3i, -2 + i, -5 + 10i: (-4 - 3i) (1 + 10i) = 26 - 43i, (-2 - i) (1 + 10i) = 8 - 21i, (-5 - 10i) (1 + 10i) = 95 - 60i.
-- ==
-- entry: complex
-- input { [1.0, 3.0, 0.0] [2.0, 4.0, 1.0] } output { -10.0 -5.0 [26.0, 8.0, 95.0] [-43.0, -21.0, -60.0] }
entry complex [n] (re: [n]f64) (im: [n]f64): (f64, f64, [n]f64, [n]f64) =
  let times (a, b) (c, d) = (a * c - b * d, a * d + b * c: f64)
  let ((x, y), (re', im')) = vjp2 (\(re, im) -> reduce times (1, 0) (zip re im)) (re, im) (1, 10)
  in (x, y, re', im')
