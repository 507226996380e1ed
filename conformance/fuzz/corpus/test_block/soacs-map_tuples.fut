-- Arrays of tuples are tuples of arrays.
-- ==
-- input { [1, -2, 3] }
-- output { [1, 2, 3] [true, false, true] [[1, 1], [-2, 4], [3, 9]] }
entry main [n] (xs: [n]i32): ([n]i32, [n]bool, [n][2]i32) =
  let (a, b) = unzip (map (\x -> (i32.abs x, x > 0)) xs)
  in (a, b, map (\x -> [x, x * x]) xs)
