-- In log space probabilities may be 0, and then their logarithms -inf, with tangents: the maximum of x and -inf has the derivative of x, as has log (exp x + exp (-inf)).
-- ==
-- entry: greatest
-- input { 1.0 } output { 1.0 1.0 }
entry greatest (x: f64): (f64, f64) =
  let f x = f64.maximum [x, x - f64.inf]
  in (jvp f x 1, vjp f x 1)

-- ==
-- entry: log_sum
-- input { 1.0 } output { 1.0 1.0 }
entry log_sum (x: f64): (f64, f64) =
  let f x =
    let xs = [x, x - f64.inf]
    let most = f64.maximum xs
    in most + f64.log (f64.sum (map (\x -> f64.exp (x - most)) xs))
  in (jvp f x 1, vjp f x 1)
