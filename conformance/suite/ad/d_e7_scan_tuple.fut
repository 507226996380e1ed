-- E7 (digest 000, table 5.E, its literal vectors): a sum, a product and a maximum that do not interact.

def op (a: f64, b: f64, c: f64) (d: f64, e: f64, f: f64): (f64, f64, f64) = (a + d, b * e, f64.max c f)

def f [n] (xs: [n][3]f64): [n][3]f64 =
  map (\(a, b, c) -> [a, b, c]) (scan op (0.0, 1.0, f64.lowest) (map (\x -> (x[0], x[1], x[2])) xs))

-- ==
-- entry: reverse forward
-- input { [[1.0, 2.0, 3.0], [4.0, 3.0, 5.0], [3.0, 4.0, 2.0], [4.0, 2.0, 1.0]]
--   [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]] }
-- output { [[1.0, 2.0, 3.0], [5.0, 6.0, 5.0], [8.0, 24.0, 5.0], [12.0, 48.0, 5.0]]
--   [[4.0, 40.0, 1.0], [3.0, 26.0, 3.0], [2.0, 18.0, 0.0], [1.0, 24.0, 0.0]] }
entry reverse [n] (xs: [n][3]f64) (seed: [n][3]f64): ([n][3]f64, [n][3]f64) = vjp2 f xs seed

-- The same from the columns of the Jacobian.
entry forward [n] (xs: [n][3]f64) (seed: [n][3]f64): ([n][3]f64, [n][3]f64) =
  let unit i = unflatten (map (\j -> f64.bool (i == j)) (iota (n * 3)))
  in (f xs, unflatten (tabulate (n * 3) (\i -> f64.sum (map2 (*) (flatten seed) (flatten (jvp f xs (unit i)))))))
