-- E12 (digest 000, table 5.E): operators whose Jacobian has zeros only after simplification (x * 0, a - a), or that only look as if: the
-- product of dual numbers with a difference that vanishes has E4's literal vectors, the composition of linear functions with x * 0 has
-- E5's.

def times (a: f64, b: f64) (c: f64, d: f64): (f64, f64) = (b * c + d * a, b * d + (a - a) * c)

def after (a: f64, b: f64) (c: f64, d: f64): (f64, f64) = (c + d * a + b * 0.0, b * d + a * 0.0)

def f [n] (op: (f64, f64) -> (f64, f64) -> (f64, f64)) (xs: [n][2]f64): [n][2]f64 =
  map (\(a, b) -> [a, b]) (scan op (0.0, 1.0) (map (\x -> (x[0], x[1])) xs))

-- ==
-- entry: dual
-- input { [[1.0, 10.0], [2.0, 11.0], [3.0, 12.0]] [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] }
-- output { [[1.0, 10.0], [31.0, 110.0], [702.0, 1320.0]] [[694.0, 1129.0], [630.0, 973.0], [550.0, 815.0]] }
entry dual [n] (xs: [n][2]f64) (seed: [n][2]f64): ([n][2]f64, [n][2]f64) = vjp2 (f times) xs seed

-- ==
-- entry: linear
-- input { [[1.0, 2.0], [4.0, 3.0], [3.0, 4.0], [4.0, 2.0]] [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]] }
-- output { [[1.0, 2.0], [7.0, 6.0], [31.0, 24.0], [66.0, 48.0]] [[238.0, 278.0], [79.0, 263.0], [19.0, 265.0], [7.0, 409.0]] }
entry linear [n] (xs: [n][2]f64) (seed: [n][2]f64): ([n][2]f64, [n][2]f64) = vjp2 (f after) xs seed
