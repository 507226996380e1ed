-- `foldl`, `foldr`, `iterate`, `iterate_while`, `iterate_until`. Expected values: `futhark run` of 0.25.32.
-- ==
-- entry: folds
-- input { 10 [1, 2, 3] }
-- output { 4 -8 }
-- input { 10 empty([0]i32) }
-- output { 10 10 }
entry folds [n] (x: i32) (xs: [n]i32) : (i32, i32) = (foldl (-) x xs, foldr (-) x xs)

-- ==
-- entry: types
-- input { [1u8, 2u8, 200u8] }
-- output { 201.25 52.0 203i64 [203i64, 204i64, 205i64] }
entry types [n] (xs: [n]u8) : (f64, f64, i64, [3]i64) =
  ( foldl (\a x -> a / 2 + f64.u8 x) 0 xs
  , foldr (\x a -> a / 2 + f64.u8 x) 0 xs
  , foldl (\(a, _) x -> (a + i64.u8 x, x)) (0, 0) xs |> (.0)
  , foldl (\a x -> rotate 1 (map (+ i64.u8 x) a)) [0, 1, 2] xs)

-- ==
-- entry: times
-- input { 5 3 }
-- output { 127 }
-- input { 0 3 }
-- output { 3 }
-- input { -1 3 }
-- output { 3 }
entry times (n: i32) (x: i32) : i32 = iterate n (\x -> 2 * x + 1) x

-- ==
-- entry: conditions
-- input { 0 }
-- output { 12 12 }
-- input { 100 }
-- output { 100 100 }
entry conditions (x: i32) : (i32, i32) = (iterate_while (< 10) (+ 3) x, iterate_until (> 10) (+ 3) x)

-- ==
-- entry: of_arrays
-- input { [1.0, 2.0] }
-- output { [8.0, 16.0] }
entry of_arrays [n] (xs: [n]f64) : [n]f64 = iterate 3 (map (* 2)) xs
