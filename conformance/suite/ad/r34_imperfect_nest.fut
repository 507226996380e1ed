-- R34 (digest 002, 4.2): four scopes deep, and in each something that only its own derivatives need. For each x: p = x^2; if p > 1, for
-- each y: q = p y; a loop r := r q + x, twice from 1; the sum of r. Else x^3. r = (q + x) q + x, by q 2 q + x, by x q + 1. At x = 2, ys =
-- [1, 3]: p = 4, q = 4 and 12: r = 26 and 170; by y (2 q + x) p = 40 and 104; by x 5 + 13 and (10 * 1 + 26 * 3) 2 x = 352. At x = 0.5:
-- 0.125, 0.75. At x = 3: p = 9, q = 9 and 27: r = 111 and 813; by y 189 and 513; by x 10 + 28 + (21 * 1 + 57 * 3) 2 x = 1190.
-- ==
-- input { [2.0, 0.5] [1.0, 3.0] } output { [196.0, 0.125] [370.0, 0.75] [40.0, 104.0] }
-- input { [2.0, 0.5, 3.0] [1.0, 3.0] } output { [196.0, 0.125, 924.0] [370.0, 0.75, 1190.0] [229.0, 617.0] }
-- input { [0.5] [1.0, 3.0] } output { [0.125] [0.75] [0.0, 0.0] }
entry main [n] [m] (xs: [n]f64) (ys: [m]f64): ([n]f64, [n]f64, [m]f64) =
  let f (xs: [n]f64, ys: [m]f64): [n]f64 =
    map (\x ->
           let p = x * x
           in if p > 1
              then f64.sum (map (\y -> let q = p * y in loop r = 1 for _i < 2 do r * q + x) ys)
              else p * x) xs
  let (v, (xs', ys')) = vjp2 f (xs, ys) (replicate n 1)
  in (v, xs', ys')
