-- Where several positions write to one index the last wins, so that the values of the others reach nothing: their derivative is 0. By hand. (The values are
-- equal: of others strict mode says that they are not.)

-- ==
-- entry: twice
-- input { [1.0, 2.0] [1.0, 1.0] } output { [1.0, 1.0] }
-- input { [1.0, 2.0] [1.0, 3.0] } output { [1.0, 3.0] }
entry twice [n] (xs: [n]f64) (seed: [n]f64) : [n]f64 =
  vjp (\xs -> scatter (replicate n 0.0) (iota n ++ iota n) (xs ++ xs)) xs seed

-- Positions 0, 2 and 4 write to index 1: 4 wins, and its value is x^2. Index 7 is out of range, and index 2 keeps what was there
-- ==
-- entry: backward
-- input { [1i64, 0i64, 1i64, 7i64, 1i64] [1.0, 2.0, -1.0, 4.0, 1.0] [10.0, 20.0, 30.0] } output { [0.0, 4.0, 0.0, 0.0, 2.0] [0.0, 0.0, 1.0] }
-- ==
-- entry: forward
-- input { [1i64, 0i64, 1i64, 7i64, 1i64] [1.0, 2.0, -1.0, 4.0, 1.0] [10.0, 20.0, 30.0] } output { [4.0, 2.0, 1.0] }
def squares [k] [n] (is: [k]i64) (xs: [k]f64, ds: [n]f64) : [n]f64 = scatter (copy ds) is (map (\x -> x * x) xs)

entry backward [k] [n] (is: [k]i64) (xs: [k]f64) (ds: [n]f64) : ([k]f64, [n]f64) =
  vjp (squares is) (xs, ds) (replicate n 1.0)

entry forward [k] [n] (is: [k]i64) (xs: [k]f64) (ds: [n]f64) : [n]f64 =
  jvp (squares is) (xs, ds) (replicate k 1.0, replicate n 1.0)

-- In two dimensions, and several directions of the seed: (0, 1) is written by positions 0 and 2.
-- ==
-- entry: two
-- input { [0i64, 1i64, 0i64] [1i64, 1i64, 1i64] [1.0, 2.0, 1.0] } output { [0.0, 1.0, 1.0] }
-- input { [0i64, 1i64, 0i64] [1i64, 1i64, 0i64] [1.0, 2.0, 1.0] } output { [1.0, 1.0, 1.0] }
entry two [k] (is: [k]i64) (js: [k]i64) (xs: [k]f64) : [k]f64 =
  let f xs = scatter_2d (replicate 2 (replicate 2 0.0)) (zip is js) xs
  let by i j = vjp f xs (tabulate_2d 2 2 (\k l -> f64.bool (k == i && l == j)))
  in map (reduce (+) 0.0) (transpose (flatten (tabulate_2d 2 2 by)))

-- The second derivative of a sum of cubes, of which one is lost: 6 x.
-- ==
-- entry: second
-- input { [0i64, 0i64, 1i64] [2.0, 2.0, 3.0] } output { [0.0, 12.0, 18.0] }
entry second [k] (is: [k]i64) (xs: [k]f64) : [k]f64 =
  let f xs = reduce (+) 0.0 (scatter (replicate 2 0.0) is (map (\x -> x * x * x) xs))
  in vjp (\xs -> reduce (+) 0.0 (vjp f xs 1.0)) xs 1.0

-- In the rows of a map, each of which loses something else.
-- ==
-- entry: rows
-- input { [[0i64, 0i64], [0i64, 1i64], [1i64, 1i64]] [3.0, 3.0] } output { [[0.0, 1.0], [1.0, 1.0], [0.0, 1.0]] }
entry rows [m] [k] (is: [m][k]i64) (xs: [k]f64) : [m][k]f64 =
  map (\is -> vjp (\xs -> scatter (replicate 2 0.0) is xs) xs (replicate 2 1.0)) is

-- A loop that writes over what the trip before has written: the last trip's values are left.
-- ==
-- entry: trips
-- input { [0i64, 1i64, 0i64] [1.0, 2.0, 1.0] } output { [0.0, 8.0, 8.0] }
entry trips [k] (is: [k]i64) (xs: [k]f64) : [k]f64 =
  vjp (\xs -> loop ys = replicate 2 0.0 for i < 4 do scatter ys is (map (* f64.i64 (2 * i + 2)) xs)) xs (replicate 2 1.0)

-- Positions that are as many indices: nothing is lost.
-- ==
-- entry: once
-- input { [1.0, 2.0, 3.0] } output { [2.0, 4.0, 6.0] }
entry once [n] (xs: [n]f64) : [n]f64 =
  let f xs = scatter (replicate (n + 2) 0.0) (map (\i -> n + 1 - i) (reverse (iota n))) (map (\x -> x * x) xs)
  in vjp f xs (replicate (n + 2) 1.0)

-- As many positions as the program says, in two dimensions: 0 and 2 write to (1, 0).
-- ==
-- entry: three
-- input { [1.0, 2.0, 1.0] } output { [0.0, 4.0, 2.0] }
entry three (xs: [3]f64) : [3]f64 =
  let f xs = scatter_2d (replicate 2 (replicate 2 0.0)) (zip [1, 0, 1] [0, 0, 0]) (map (\x -> x * x) xs)
  in vjp f xs (replicate 2 (replicate 2 1.0))
