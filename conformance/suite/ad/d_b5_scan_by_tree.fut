-- B5, B7 (digest 000, 1.7 and 5): scans whose operands are of several types, or arrays, are differentiated by a tree, without matrices. Segmented sums: the adjoint of an
-- element is the sum of the adjoints from it to the end of its segment. By hand, for all numbers of elements up to nine and some more: whole levels, and levels with one left.
-- ==
-- entry: segmented
-- input { empty([0]bool) empty([0]f64) empty([0]f64) } output { empty([0]f64) }
-- input { [false] [1.0] [2.0] } output { [2.0] }
-- input { [true, false] [1.0, 2.0] [1.0, 10.0] } output { [11.0, 10.0] }
-- input { [true, false, true] [1.0, 2.0, 3.0] [1.0, 10.0, 100.0] } output { [11.0, 10.0, 100.0] }
-- input { [false, false, false, false] [1.0, 2.0, 3.0, 4.0] [1.0, 2.0, 4.0, 8.0] } output { [15.0, 14.0, 12.0, 8.0] }
-- input { [true, true, false, false, true] [1.0, 2.0, 3.0, 4.0, 5.0] [1.0, 2.0, 4.0, 8.0, 16.0] }
-- output { [1.0, 14.0, 12.0, 8.0, 16.0] }
-- input { [false, true, false, false, false, false, false, true, false] [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]
--         [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0] }
-- output { [1.0, 126.0, 124.0, 120.0, 112.0, 96.0, 64.0, 384.0, 256.0] }
entry segmented [n] (flags: [n]bool) (xs: [n]f64) (seed: [n]f64) : [n]f64 =
  let sums xs =
    zip flags xs
    |> scan (\(f, x) (g, y) -> (f || g, if g then y else x + y)) (false, 0)
    |> map (.1)
  in vjp sums xs seed

-- Products segmented, with the largest number so far and where it was, at f32 and f64: the adjoint of x0 in all products of prefixes, with seeds of one; that of
-- the largest goes to it. Prefix products are 2, 6, 30, 30, 60, 120: the sum of all from x_i on, divided by x_i; the largest are 1, 4, 4, 4, 6, 6.
-- ==
-- entry: mixed
-- input { [2.0, 3.0, 5.0, 1.0, 2.0, 2.0] [1.0f32, 4.0f32, 2.0f32, 4.0f32, 6.0f32, 0.0f32] }
-- output { [124.0, 82.0, 48.0, 210.0, 90.0, 60.0] [1.0f32, 3.0f32, 0.0f32, 0.0f32, 2.0f32, 0.0f32] }
entry mixed [n] (xs: [n]f64) (ms: [n]f32) : ([n]f64, [n]f32) =
  let after (x, m, i) (y, l, j: i64) =
    if m >= l then (x * y, m, i) else (x * y, l, j)
  let f (xs, ms) =
    let (ps, ls, _) =
      zip3 xs ms (iota n) |> scan after (1, -f32.inf, -1i64) |> unzip3
    in (ps, ls)
  in vjp f (xs, ms) (replicate n 1, replicate n 1)

-- Matrices as operands, of any size: the derivative of all prefixes of a product of matrices [[1, a], [0, 1]] is that of prefix sums.
-- ==
-- entry: matrices
-- input { [1.0, 2.0, 3.0, 4.0, 5.0] [1.0, 10.0, 100.0, 1000.0, 10000.0] } output { [11111.0, 11110.0, 11100.0, 11000.0, 10000.0] }
entry matrices [n] (as: [n]f64) (seed: [n]f64) : [n]f64 =
  let times [k] (a: [k][k]f64) (b: [k][k]f64) : [k][k]f64 =
    map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose b)) a
  let f as =
    map (\a -> [[1, a], [0, 1]]) as
    |> scan times [[1, 0], [0, 1]]
    |> map (\m -> m[0, 1])
  in vjp f as seed

-- The same in a map, in a loop, with several seeds, and the derivative of the derivative: sums of squares, 2 for each later element of its segment.
-- ==
-- entry: second
-- input { [true, false, false, true, false] [1.0, 2.0, 3.0, 4.0, 5.0] }
-- output { [[6.0, 4.0, 2.0, 0.0, 0.0], [4.0, 4.0, 2.0, 0.0, 0.0], [2.0, 2.0, 2.0, 0.0, 0.0], [0.0, 0.0, 0.0, 4.0, 2.0], [0.0, 0.0, 0.0, 2.0, 2.0]] }
entry second [n] (flags: [n]bool) (xs: [n]f64) : [n][n]f64 =
  let f xs =
    zip flags xs
    |> scan (\(f, x) (g, y) -> (f || g, if g then y else x + y)) (false, 0)
    |> map (\(_, x) -> x * x)
    |> f64.sum
  let unit i = map (\j -> f64.bool (i == j)) (iota n)
  in map (\i -> jvp (\xs -> vjp f xs 1) xs (unit i)) (iota n)

-- ==
-- entry: seeds
-- input { [[true, false, false], [false, true, false]] [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] }
-- output { [[[1.0, 0.0, 0.0], [0.0, 0.0, 0.0]], [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]] }
entry seeds [n] [m] (flags: [n][m]bool) (xs: [n][m]f64) : [][n][m]f64 =
  let sums flags xs =
    zip flags xs
    |> scan (\(f, x) (g, y) -> (f || g, if g then y else x + y)) (false, 0)
    |> map (.1)
  let first = tabulate_2d n m (\i j -> f64.bool (i == 0 && j == 0))
  let last = tabulate_2d n m (\_ j -> f64.bool (j == m - 1))
  let last =
    map2 (\fs row ->
            if fs[1] then map2 (\j x -> if j == 0 then 1 else x) (iota m) row
            else row)
         flags
         last
  in mjp (map2 sums flags) xs [first, last]
