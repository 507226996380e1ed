-- E18 (digest 000, table 5.E): a sum and a product of what a map makes, in one scan of pairs and in two. By hand of x = 1 2 3 4: the sum
-- of 3 x by 3 (1111, 1110, 1100, 1000); the product, E1's Jacobian, by columns 1 + 20 + 600 + 24000, 10 + 300 + 12000, 200 + 8000, 6000.

-- ==
-- entry: one two
-- input { [1.0, 2.0, 3.0, 4.0] [1.0, 10.0, 100.0, 1000.0] }
-- output { [3.0, 9.0, 18.0, 30.0] [1.0, 2.0, 6.0, 24.0] [27954.0, 15640.0, 11500.0, 9000.0] }
entry one [n] (xs: [n]f64) (seed: [n]f64): ([n]f64, [n]f64, [n]f64) =
  let ((s, p), g) = vjp2 (\xs -> unzip (scan (\(a, b) (c, d) -> (a + c, b * d)) (0.0, 1.0) (map (\x -> (3.0 * x, x)) xs))) xs (seed, seed)
  in (s, p, g)

entry two [n] (xs: [n]f64) (seed: [n]f64): ([n]f64, [n]f64, [n]f64) =
  let ((s, p), g) = vjp2 (\xs -> (scan (+) 0.0 (map (3.0 *) xs), scan (*) 1.0 xs)) xs (seed, seed)
  in (s, p, g)
