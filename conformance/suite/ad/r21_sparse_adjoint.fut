-- R21: the minimum of squares: only the winner's derivative counts. min (x - 2)^2 over [0, 1.5, 4]: 0.25, at 1.5, where 2 (x - 2) = -1.
-- ==
-- input { [0.0, 1.5, 4.0] } output { [0.0, -1.0, 0.0] }
entry main [n] (xs: [n]f64): [n]f64 =
  vjp (\xs -> f64.minimum (map (\x -> (x - 2.0) * (x - 2.0)) xs)) xs 1.0
