-- The gradient of log sum exp is the softmax: for [0, 0] [1/2, 1/2].
-- ==
-- input { [0.0, 0.0] } output { 0.6931471805599453 [0.5, 0.5] }
-- input { [1000.0, 0.0] } output { 1000.0 [1.0, 0.0] }
entry main [n] (xs: [n]f64): (f64, [n]f64) =
  vjp2 (\xs -> let m = f64.maximum xs in m + f64.log (f64.sum (map (\x -> f64.exp (x - m)) xs))) xs 1.0
