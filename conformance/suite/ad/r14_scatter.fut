-- R14 (digest 002, 5.3): scatter. The digest's vectors: what is overwritten has no adjoint, a value that of its position.
-- ==
-- entry: reverse
-- input { [1.0, 2.0, 3.0, 4.0, 5.0] [3i64, 0i64] [9.0, 8.0] [0.1, 0.2, 0.3, 0.4, 0.5] } output { [0.0, 0.2, 0.3, 0.0, 0.5] [0.4, 0.1] }
-- input { [1.0, 2.0] [5i64, -1i64] [9.0, 8.0] [0.1, 0.2] } output { [0.1, 0.2] [0.0, 0.0] }
-- input { [1.0, 2.0] empty([0]i64) empty([0]f64) [0.1, 0.2] } output { [0.1, 0.2] empty([0]f64) }
-- input { empty([0]f64) [0i64] [9.0] empty([0]f64) } output { empty([0]f64) [0.0] }
entry reverse [k] [n] (xs: [k]f64) (is: [n]i64) (vs: [n]f64) (adj: [k]f64): ([k]f64, [n]f64) =
  vjp (\(xs, vs) -> scatter (copy xs) is vs) (xs, vs) adj

-- ==
-- entry: forward
-- input { [1.0, 2.0, 3.0, 4.0, 5.0] [3i64, 0i64] [9.0, 8.0] [0.1, 0.2, 0.3, 0.4, 0.5] [10.0, 20.0] } output { [20.0, 0.2, 0.3, 10.0, 0.5] }
entry forward [k] [n] (xs: [k]f64) (is: [n]i64) (vs: [n]f64) (xs': [k]f64) (vs': [n]f64): [k]f64 =
  jvp (\(xs, vs) -> scatter (copy xs) is vs) (xs, vs) (xs', vs')

-- What xs was before is used as well: the sum of squares, times the sum after it. [1, 2, 3] with 7 at 1: 14 (1 + 7 + 3) = 154. By xs: 2 x
-- 11, and 14 where it is not overwritten: [36, 44, 80]; by the value 14.
-- ==
-- entry: used_before
-- input { [1.0, 2.0, 3.0] [1i64] [7.0] } output { 154.0 [36.0, 44.0, 80.0] [14.0] }
entry used_before [k] [n] (xs: [k]f64) (is: [n]i64) (vs: [n]f64): (f64, [k]f64, [n]f64) =
  let f (xs, vs) =
    let s = f64.sum (map (\x -> x * x) xs)
    in s * f64.sum (scatter (copy xs) is vs)
  let (y, (xs', vs')) = vjp2 f (xs, vs) 1
  in (y, xs', vs')

-- Two, one after the other, the second with a value read from the first: [u, v] at [0, 1], then [u^2, 100] at [1, 2]: [u, u^2, 100].
-- Adjoints 1: nothing by xs, 1 + 2 u = 9 by u, nothing by v.
-- ==
-- entry: twice
-- input { [1.0, 2.0, 3.0] [4.0, 5.0] } output { [4.0, 16.0, 100.0] [0.0, 0.0, 0.0] [9.0, 0.0] }
entry twice (xs: [3]f64) (vs: [2]f64): ([3]f64, [3]f64, [2]f64) =
  let f (xs: [3]f64, vs: [2]f64): [3]f64 =
    let ys = scatter (copy xs) [0, 1] vs
    let y = ys[0]
    in scatter ys [1, 2] [y * y, 100]
  let (y, (xs', vs')) = vjp2 f (xs, vs) [1, 1, 1]
  in (y, xs', vs')

-- Rows, two coordinates, and pairs of which only one has a derivative.
-- ==
-- entry: rows
-- input { [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] [2i64, 7i64] [[7.0, 8.0], [9.0, 10.0]] [[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]] }
-- output { [[0.1, 0.2], [0.3, 0.4], [0.0, 0.0]] [[0.5, 0.6], [0.0, 0.0]] }
entry rows [k] [n] [m] (xs: [k][m]f64) (is: [n]i64) (vs: [n][m]f64) (adj: [k][m]f64): ([k][m]f64, [n][m]f64) =
  vjp (\(xs, vs) -> scatter (copy xs) is vs) (xs, vs) adj

-- ==
-- entry: in_two
-- input { [[1.0, 2.0], [3.0, 4.0]] [1i64, 0i64, 2i64] [0i64, 1i64, 0i64] [7.0, 8.0, 9.0] [[0.1, 0.2], [0.3, 0.4]] }
-- output { [[0.1, 0.0], [0.0, 0.4]] [0.3, 0.2, 0.0] }
entry in_two [k] [m] [n] (xs: [k][m]f64) (is: [n]i64) (js: [n]i64) (vs: [n]f64) (adj: [k][m]f64): ([k][m]f64, [n]f64) =
  vjp (\(xs, vs) -> scatter_2d (copy xs) (zip is js) vs) (xs, vs) adj

-- 3 v^2 at its position, 2 x elsewhere, with the integers 3 and 2: of [1, 2, 3] with 4 at 1: 2 + 48 + 6; by xs [2, 0, 2], by the value 6 *
-- 4.
-- ==
-- entry: pairs
-- input { [1.0, 2.0, 3.0] [1i64] [4.0] } output { 56.0 [2.0, 0.0, 2.0] [24.0] }
entry pairs [k] [n] (xs: [k]f64) (is: [n]i64) (vs: [n]f64): (f64, [k]f64, [n]f64) =
  let f (xs, vs) =
    let (ks, ys) = unzip (scatter (zip (replicate k 2i64) xs) is (map (\v -> (3, v * v)) vs))
    in f64.sum (map2 (\k y -> f64.i64 k * y) ks ys)
  let (y, (xs', vs')) = vjp2 f (xs, vs) 1
  in (y, xs', vs')
