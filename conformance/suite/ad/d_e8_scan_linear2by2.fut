-- E8 (digest 000, table 5.E, its literal vectors; the scan itself in Python's fractions): the composition of linear functions of two
-- variables.

def after (a: f64, b: f64, c: f64, d: f64, e: f64, f: f64) (g: f64, h: f64, i: f64, j: f64, k: f64, l: f64) =
  (g + i * a + j * b, h + k * a + l * b, i * c + j * e, i * d + j * f, k * c + l * e, k * d + l * f)

def f [n] (xs: [n][6]f64): [n][6]f64 =
  map (\(a, b, c, d, e, f) -> [a, b, c, d, e, f])
      (scan after (0.0, 0.0, 1.0, 0.0, 0.0, 1.0) (map (\x -> (x[0], x[1], x[2], x[3], x[4], x[5])) xs))

-- ==
-- entry: reverse forward
-- input { [[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [6.0, 5.0, 4.0, 3.0, 2.0, 1.0], [4.0, 5.0, 6.0, 1.0, 2.0, 3.0]]
--   [[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [1.0, 0.0, 0.0, 0.0, 0.0, 1.0], [2.0, 1.0, 0.0, 1.0, 1.0, 0.0]] }
-- output { [[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [16.0, 9.0, 27.0, 34.0, 11.0, 14.0], [109.0, 64.0, 173.0, 218.0, 87.0, 110.0]]
--   [[71.0, 52.0, 17.0, 32.0, 14.0, 26.0], [15.0, 5.0, 45.0, 76.0, 22.0, 37.0], [2.0, 1.0, 66.0, 32.0, 43.0, 20.0]] }
entry reverse [n] (xs: [n][6]f64) (seed: [n][6]f64): ([n][6]f64, [n][6]f64) = vjp2 f xs seed

-- The same from the columns of the Jacobian.
entry forward [n] (xs: [n][6]f64) (seed: [n][6]f64): ([n][6]f64, [n][6]f64) =
  let unit i = unflatten (map (\j -> f64.bool (i == j)) (iota (n * 6)))
  in (f xs, unflatten (tabulate (n * 6) (\i -> f64.sum (map2 (*) (flatten seed) (flatten (jvp f xs (unit i)))))))

-- For the harness to differentiate.
-- ==
-- entry: primal
-- input { [[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [6.0, 5.0, 4.0, 3.0, 2.0, 1.0], [4.0, 5.0, 6.0, 1.0, 2.0, 3.0]] }
-- output { [[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [16.0, 9.0, 27.0, 34.0, 11.0, 14.0], [109.0, 64.0, 173.0, 218.0, 87.0, 110.0]] }
entry primal [n] (xs: [n][6]f64): [n][6]f64 = f xs
