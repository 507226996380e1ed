-- Each branch calculated the size anew, under a name of its own: ill-formed. By hand: the largest of four times 1.75 is 1.75.
-- ==
-- entry: main
-- input { [1.0, 2.0] false } output { 1.75 }
entry main [n] (_xs: [n]f64) (c: bool): f64 =
  f64.maximum (if c then replicate (2 * n) 1.375f64 else replicate (2 * n) 1.75f64)
