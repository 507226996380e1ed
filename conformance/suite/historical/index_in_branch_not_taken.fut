-- Digest 001 §2.5, item 2: whether an index operation has run was recorded in a flag, which must come out false for branches not taken, at any
-- depth. Else they add to the adjoint of element 0.
-- For xs = [2, -1, 3] and 5 places: 2^2 + 1 + 3^2 + 5 + 5 = 24, gradient [2 * 2, 0, 2 * 3].
-- For xs = [-2, 1] and 1 place: 1, and no element counts.
-- ==
-- input { [2.0, -1.0, 3.0] 5i64 } output { 24.0 [4.0, 0.0, 6.0] }
-- input { [-2.0, 1.0] 1i64 }      output { 1.0 [0.0, 0.0] }
entry main [n] (xs: [n]f64) (m: i64): (f64, [n]f64) =
  vjp2 (\xs -> f64.sum (map (\i -> if i < n then (if xs[i] > 0.0 then xs[i] * xs[i] else 1.0) else 5.0) (iota m))) xs 1.0
