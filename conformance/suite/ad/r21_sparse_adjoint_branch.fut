-- R21: elements that branches read have no arrays of adjoints, through a map, either. By hand, of ys = xs^2: ys[i] xs[j] if xs[0] > 0, with the derivatives 2 xs[i] xs[j] by
-- xs[i] and ys[i] by xs[j]; else ys[j] if it is more than 5, with 2 xs[j]; else 1. Of all that there is one array that is not an argument: the adjoint.
-- ==
-- entry: elements
-- input { 1i64 2i64 [1.0, 2.0, 3.0] } output { [0.0, 12.0, 4.0] }
-- input { 2i64 2i64 [1.0, 2.0, 3.0] } output { [0.0, 0.0, 27.0] }
-- input { 1i64 2i64 [-1.0, 2.0, 3.0] } output { [0.0, 0.0, 6.0] }
-- input { 1i64 1i64 [-1.0, 2.0, 3.0] } output { [0.0, 0.0, 0.0] }
-- input { 7i64 1i64 [-1.0, 3.0] } output { [0.0, 6.0] }
-- input { 7i64 1i64 [1.0, 3.0] } error: out of bounds
-- structure { Replicate 1 UnOp 0 }
entry elements [n] (i: i64) (j: i64) (xs: [n]f64) : [n]f64 =
  vjp (\xs ->
         let ys = map (\x -> x * x) xs
         in if xs[0] > 0 then ys[i] * xs[j] else if ys[j] > 5 then ys[j] else 1)
      xs
      1
