-- R5 (digest 002, part 3: shape-changing loops): loops whose arrays change their shape. Expected values by hand.

-- Halved by adding up: [1, 2, 3, 4, 5, 6, 7, 8] by twos multiplied: 1*2, 3*4, 5*6, 7*8, and so on, to the product of all, 40320; each has
-- 40320 / x.
-- ==
-- entry: shrinks
-- input { [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0] }
-- output { 40320.0 [40320.0, 20160.0, 13440.0, 10080.0, 8064.0, 6720.0, 5760.0, 5040.0] }
-- input { [7.0] } output { 7.0 [1.0] }
-- input { [2.0, 0.0] } output { 0.0 [0.0, 2.0] }
def shrink (xs: []f64): f64 =
  head (loop xs while length xs > 1 do let h = length xs / 2 in tabulate h (\i -> xs[2 * i] * xs[2 * i + 1]))

entry shrinks [n] (xs: [n]f64): (f64, [n]f64) = vjp2 shrink xs 1

-- Grown: an element and its multiple by k, k times what is there appended. [x] becomes [x, k x], [x, k x, k x, k^2 x]: with the adjoints 1,
-- 10, 100, 1000, at x = 2, k = 3: 1 + 110 * 3 + 1000 * 9; 110 x + 1000 * 2 k x = 220 + 12000.
-- ==
-- entry: grows
-- input { 2.0 3.0 2i64 } output { [2.0, 6.0, 6.0, 18.0] 9331.0 12220.0 }
-- input { 2.0 3.0 0i64 } output { [2.0] 1.0 0.0 }
entry grows (x: f64) (k: f64) (n: i64): ([]f64, f64, f64) =
  let f (x, k) = loop xs = [x] for _i < n do xs ++ map (* k) xs
  let weighted (x, k) = let ys = f (x, k) in f64.sum (map2 (\y i -> y * 10 ** f64.i64 i) ys (indices ys))
  let (x', k') = vjp weighted (x, k) 1
  in (f (x, k), x', k')

-- What is less than the average of those that are left is dropped, twice, and the rest doubled: [1, 2, 6, 8, 13]: average 6, [12, 16, 26];
-- average 18: [52].
-- ==
-- entry: filters
-- input { [1.0, 2.0, 6.5, 8.0, 13.0] 2i64 } output { 52.0 [0.0, 0.0, 0.0, 0.0, 4.0] }
-- input { [1.0, 2.0, 6.5, 8.0, 13.0] 1i64 } output { 55.0 [0.0, 0.0, 2.0, 2.0, 2.0] }
-- input { empty([0]f64) 2i64 } output { 0.0 empty([0]f64) }
entry filters [n] (xs: [n]f64) (k: i64): (f64, [n]f64) =
  let f (xs: []f64): f64 =
    f64.sum (loop xs for _i < k do let mean = f64.sum xs / f64.i64 (length xs) in map (* 2) (filter (>= mean) xs))
  in vjp2 f xs 1

-- Rows become columns: a matrix is transposed and scaled by k each time. Three times: k^3 x; by k 3 k^2 times the sum.
-- ==
-- entry: transposes
-- input { [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] 2.0 } output { 252.0 [[8.0, 8.0, 8.0], [8.0, 8.0, 8.0]] }
entry transposes [n] [m] (xs: [n][m]f64) (k: f64): (f64, [n][m]f64) =
  let f (xs: [][]f64, k: f64): f64 = f64.sum (flatten (loop xs for _i < 3 do map (map (* k)) (transpose xs)))
  let (xs', k') = vjp f (xs, k) 1
  in (k', xs')

-- Forward, and the second derivative of the product of a, b by halves: the gradient (b, a), its vjp with ones (1, 1); with four ones each
-- the three products of two others.
-- ==
-- entry: second
-- input { [1.0, 2.0, 3.0, 4.0] } output { [26.0, 19.0, 14.0, 11.0] [26.0, 19.0, 14.0, 11.0] 50.0 }
entry second [n] (xs: [n]f64): ([n]f64, [n]f64, f64) =
  let ones = replicate n 1
  in (vjp (\xs -> vjp shrink xs 1) xs ones, jvp (\xs -> vjp shrink xs 1) xs ones, jvp shrink xs ones)
