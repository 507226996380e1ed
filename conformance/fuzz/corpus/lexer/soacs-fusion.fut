-- Three maps and a sum become one loop over the array. sum (2 (x+1))^2 for x = 0, 1, 2: 4 + 16 + 36.
-- ==
-- input { [0.0, 1.0, 2.0] }
-- output { 56.0 }
-- structure { Screma 1 }
entry main [n] (xs: [n]f64): f64 =
  let a = map (+ 1.0) xs
  let b = map (* 2.0) a
  let c = map (\x -> x * x) b
  in f64.sum c
