-- E1, E2 (digest 000, table 5.E, its literal vectors): the Jacobian of the scan of a product, by rows and by columns; and a scan with
-- zeros, where nothing may be divided.

def unit (n: i64) (i: i64): [n]f64 = map (\j -> f64.bool (i == j)) (iota n)

-- ==
-- entry: rows columns
-- input { [1.0, 2.0, 3.0, 4.0, 5.0] }
-- output {
--   [[1.0, 0.0, 0.0, 0.0, 0.0], [2.0, 1.0, 0.0, 0.0, 0.0], [6.0, 3.0, 2.0, 0.0, 0.0], [24.0, 12.0, 8.0, 6.0, 0.0],
--   [120.0, 60.0, 40.0, 30.0, 24.0]] }
entry rows [n] (xs: [n]f64): [n][n]f64 = tabulate n (\i -> vjp (scan (*) 1.0) xs (unit n i))

entry columns [n] (xs: [n]f64): [n][n]f64 = transpose (tabulate n (\i -> jvp (scan (*) 1.0) xs (unit n i)))

-- The operator is not recognised as a product in the second.
-- ==
-- entry: zeros zeros_general
-- input { [2.0, 0.0, 3.0, 0.0, 5.0] [1.0, 1.0, 1.0, 1.0, 1.0] }
-- output { [2.0, 0.0, 0.0, 0.0, 0.0] [1.0, 8.0, 0.0, 0.0, 0.0] }
entry zeros [n] (xs: [n]f64) (seed: [n]f64): ([n]f64, [n]f64) = vjp2 (scan (*) 1.0) xs seed

entry zeros_general [n] (xs: [n]f64) (seed: [n]f64): ([n]f64, [n]f64) = vjp2 (scan (\x y -> -(-x * y)) 1.0) xs seed
