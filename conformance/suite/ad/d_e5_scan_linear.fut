-- E5 (digest 000, table 5.E, its literal vectors): the composition of linear functions, whose Jacobian is diagonal with equal entries.

def after (a: f64, b: f64) (c: f64, d: f64): (f64, f64) = (c + d * a, b * d)

def f [n] (xs: [n][2]f64): [n][2]f64 =
  map (\(a, b) -> [a, b]) (scan after (0.0, 1.0) (map (\x -> (x[0], x[1])) xs))

-- ==
-- entry: reverse forward
-- input { [[1.0, 2.0], [4.0, 3.0], [3.0, 4.0], [4.0, 2.0]] [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]] }
-- output { [[1.0, 2.0], [7.0, 6.0], [31.0, 24.0], [66.0, 48.0]] [[238.0, 278.0], [79.0, 263.0], [19.0, 265.0], [7.0, 409.0]] }
entry reverse [n] (xs: [n][2]f64) (seed: [n][2]f64): ([n][2]f64, [n][2]f64) = vjp2 f xs seed

-- The same from the columns of the Jacobian.
entry forward [n] (xs: [n][2]f64) (seed: [n][2]f64): ([n][2]f64, [n][2]f64) =
  let unit i = unflatten (map (\j -> f64.bool (i == j)) (iota (n * 2)))
  in (f xs, unflatten (tabulate (n * 2) (\i -> f64.sum (map2 (*) (flatten seed) (flatten (jvp f xs (unit i)))))))
