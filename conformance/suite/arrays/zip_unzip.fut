-- ==
-- input { [1, 2, 3] [1.5, 2.5, 3.5] }
-- output { [1.5, 2.5, 3.5] [1, 2, 3] 2.5 }
entry main [n] (xs: [n]i32) (ys: [n]f64): ([n]f64, [n]i32, f64) =
  let pairs = zip ys xs
  let (a, b) = unzip pairs
  let (second, _) = pairs[1]
  in (a, b, second)
