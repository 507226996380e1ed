-- A35 (digest 001): any adjoint of arrays, and of several results. Expected values by hand.

-- (k x, prefix sums of x, sum of x^2): by x k a + the suffix sums of b + 2 c x, by k the sum of a x.
-- k = 2, x = [1, 2, 3], a = [1, 10, 100], b = [1, 2, 4], c = 0.5: [2 + 7 + 1, 20 + 6 + 2, 200 + 4 + 3]; 1 + 20 + 300.
-- ==
-- input { 2.0 [1.0, 2.0, 3.0] [1.0, 10.0, 100.0] [1.0, 2.0, 4.0] 0.5 } output { 321.0 [10.0, 28.0, 207.0] }
-- input { 2.0 empty([0]f64) empty([0]f64) empty([0]f64) 0.5 } output { 0.0 empty([0]f64) }
entry main [n] (k: f64) (xs: [n]f64) (a: [n]f64) (b: [n]f64) (c: f64): (f64, [n]f64) =
  vjp (\(k, xs) -> (map (* k) xs, scan (+) 0 xs, f64.sum (map (\x -> x * x) xs))) (k, xs) (a, b, c)

-- Records of arrays: the adjoint is a record too. {s = x + y, p = x y}.
-- ==
-- entry: records
-- input { [2.0, 3.0] [5.0, 7.0] [1.0, 10.0] [100.0, 1000.0] } output { [501.0, 7010.0] [201.0, 3010.0] }
entry records [n] (xs: [n]f64) (ys: [n]f64) (s: [n]f64) (p: [n]f64): ([n]f64, [n]f64) =
  let f (r: {x: [n]f64, y: [n]f64}) = {p = map2 (*) r.x r.y, s = map2 (+) r.x r.y}
  let r = vjp f {x = xs, y = ys} {s, p}
  in (r.x, r.y)
