-- Digest 004, appendix B, P18: the sum is needed before the second map may begin, so that not everything fuses. 2 / 6, 3 / 6, 4 / 6.
-- ==
-- input { [1.0, 2.0, 3.0] } output { [0.3333333333333333, 0.5, 0.6666666666666666] }
-- input { empty([0]f64) } output { empty([0]f64) }
-- input { [1.0, -1.0] } output { [f64.inf, f64.nan] }
entry main [n] (xs: [n]f64) : [n]f64 =
  let ys = map (+ 1) xs
  let sum = reduce (+) 0 xs
  in map (/ sum) ys
