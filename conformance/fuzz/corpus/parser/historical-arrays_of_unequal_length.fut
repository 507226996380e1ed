-- Digest 001 §2.5, item 5: of two arrays combined up to the length of the shorter one, the longer one got an adjoint as short as the other's. It must be
-- filled up with zeros. [1, 2, 3, 4] and [5, 6]: 5 + 12 = 17; each is the gradient of the other.
-- ==
-- input { [1.0, 2.0, 3.0, 4.0] [5.0, 6.0] } output { 17.0 [5.0, 6.0, 0.0, 0.0] [1.0, 2.0] }
-- input { [3.0] [5.0, 6.0] }                output { 15.0 [5.0] [3.0, 0.0] }
-- input { empty([0]f64) [5.0, 6.0] }        output { 0.0 empty([0]f64) [0.0, 0.0] }
entry main [n] [m] (xs: [n]f64) (ys: [m]f64): (f64, [n]f64, [m]f64) =
  let k = i64.min n m
  let (p, (xs', ys')) = vjp2 (\(xs, ys) -> f64.sum (map2 (*) (take k xs) (take k ys))) (xs, ys) 1.0
  in (p, xs', ys')
