-- R22: nothing reduced is the neutral element, and its derivative is empty.
-- ==
-- input { empty([0]f64) } output { 1.0 empty([0]f64) f64.inf empty([0]f64) }
entry main [n] (xs: [n]f64): (f64, [n]f64, f64, [n]f64) =
  let (p, p') = vjp2 f64.product xs 1.0
  let (m, m') = vjp2 f64.minimum xs 1.0
  in (p, p', m, m')
