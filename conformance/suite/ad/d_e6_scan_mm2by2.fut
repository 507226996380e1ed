-- E6 (digest 000, table 5.E, its literal vectors): the product of 2x2 matrices; a Jacobian that is not transposed gives (169, 120, 211,
-- 150), ...

def times (a: f64, b: f64, c: f64, d: f64) (e: f64, f: f64, g: f64, h: f64): (f64, f64, f64, f64) =
  (a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h)

def f [n] (xs: [n][4]f64): [n][4]f64 =
  map (\(a, b, c, d) -> [a, b, c, d]) (scan times (1.0, 0.0, 0.0, 1.0) (map (\x -> (x[0], x[1], x[2], x[3])) xs))

-- ==
-- entry: reverse forward
-- input { [[1.0, 2.0, 3.0, 4.0], [4.0, 3.0, 2.0, 1.0], [1.0, 0.0, 2.0, 1.0]]
--   [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0]] }
-- output { [[1.0, 2.0, 3.0, 4.0], [8.0, 5.0, 20.0, 13.0], [18.0, 5.0, 46.0, 13.0]]
--   [[159.0, 64.0, 201.0, 82.0], [68.0, 160.0, 100.0, 236.0], [292.0, 320.0, 188.0, 206.0]] }
entry reverse [n] (xs: [n][4]f64) (seed: [n][4]f64): ([n][4]f64, [n][4]f64) = vjp2 f xs seed

-- The same from the columns of the Jacobian.
entry forward [n] (xs: [n][4]f64) (seed: [n][4]f64): ([n][4]f64, [n][4]f64) =
  let unit i = unflatten (map (\j -> f64.bool (i == j)) (iota (n * 4)))
  in (f xs, unflatten (tabulate (n * 4) (\i -> f64.sum (map2 (*) (flatten seed) (flatten (jvp f xs (unit i)))))))

-- The same by columns, as the pattern of the Jacobian is another (E11): matrices are transposed on the way in and out.
-- ==
-- entry: by_columns
-- input { [[1.0, 2.0, 3.0, 4.0], [4.0, 3.0, 2.0, 1.0], [1.0, 0.0, 2.0, 1.0]]
--   [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0]] }
-- output { [[159.0, 64.0, 201.0, 82.0], [68.0, 160.0, 100.0, 236.0], [292.0, 320.0, 188.0, 206.0]] }
entry by_columns [n] (xs: [n][4]f64) (seed: [n][4]f64): [n][4]f64 =
  let times (a: f64, c: f64, b: f64, d: f64) (e: f64, g: f64, f: f64, h: f64) = (a * e + b * g, c * e + d * g, a * f + b * h, c * f + d * h)
  let f xs = map (\(a, c, b, d) -> [a, b, c, d]) (scan times (1.0, 0.0, 0.0, 1.0) (map (\x -> (x[0], x[2], x[1], x[3])) xs))
  in vjp f xs seed
