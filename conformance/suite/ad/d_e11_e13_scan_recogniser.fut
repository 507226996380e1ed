-- E11, E13 (digest 000, table 5.E): operators whose Jacobians have no pattern, or another than those of E4 to E8 and E10. How many operands
-- the derivative's scan has for each pattern, which shows what was recognised, is counted by
-- scans_carry_what_the_matrices_have_of_their_own (core/tests/ad_arrays.rs).

-- d = 1: of products E1's Jacobian, with the seed 1, 10, ...: its columns are 1 + 20 + 600 + 24000 + 1200000, 10 + 300 + 12000 + 600000,
-- 200 + 8000 + 400000, 6000 + 300000, 240000.
-- ==
-- entry: product
-- input { [1.0, 2.0, 3.0, 4.0, 5.0] [1.0, 10.0, 100.0, 1000.0, 10000.0] }
-- output { [1.0, 2.0, 6.0, 24.0, 120.0] [1224621.0, 612310.0, 408200.0, 306000.0, 240000.0] }
entry product [n] (xs: [n]f64) (seed: [n]f64) : ([n]f64, [n]f64) =
  vjp2 (scan (*) 1) xs seed

-- 2 x y: 1, 2 * 1 * 2, 4 * 1 * 2 * 3; by the elements 1 + 40 + 2400, 20 + 1200, 800.
-- ==
-- entry: twice_product
-- input { [1.0, 2.0, 3.0] [1.0, 10.0, 100.0] } output { [1.0, 4.0, 24.0] [2441.0, 1220.0, 800.0] }
entry twice_product [n] (xs: [n]f64) (seed: [n]f64) : ([n]f64, [n]f64) =
  vjp2 (scan (\x y -> 2 * x * y) 0.5) xs seed

-- Blocks of one, not of two: E7's sum, product, maximum, and once more the product. Its literal vectors.
-- ==
-- entry: blocks_of_one
-- input { [[1.0, 2.0, 3.0, 2.0], [4.0, 3.0, 5.0, 3.0], [3.0, 4.0, 2.0, 4.0], [4.0, 2.0, 1.0, 2.0]] }
-- output { [[4.0, 40.0, 1.0, 40.0], [3.0, 26.0, 3.0, 26.0], [2.0, 18.0, 0.0, 18.0], [1.0, 24.0, 0.0, 24.0]] }
entry blocks_of_one [n] (xs: [n][4]f64) : [n][4]f64 =
  let op (a: f64, b: f64, c: f64, d: f64) (e: f64, f: f64, g: f64, h: f64) =
    (a + e, b * f, f64.max c g, d * h)
  let f xs =
    map (\(a, b, c, d) -> [a, b, c, d])
        (scan op
              (0, 1, f64.lowest, 1)
              (map (\x -> (x[0], x[1], x[2], x[3])) xs))
  in vjp f xs (replicate n (replicate 4 1))

-- Blocks of two: the product of dual numbers, twice beside each other. E4's literal vectors, and the same with ten times its seed.
-- ==
-- entry: blocks_of_two
-- input { [[1.0, 10.0, 1.0, 10.0], [2.0, 11.0, 2.0, 11.0], [3.0, 12.0, 3.0, 12.0]]
--   [[1.0, 2.0, 10.0, 20.0], [3.0, 4.0, 30.0, 40.0], [5.0, 6.0, 50.0, 60.0]] }
-- output { [[694.0, 1129.0, 6940.0, 11290.0], [630.0, 973.0, 6300.0, 9730.0], [550.0, 815.0, 5500.0, 8150.0]] }
entry blocks_of_two [n] (xs: [n][4]f64) (seed: [n][4]f64) : [n][4]f64 =
  let op (a: f64, b: f64, c: f64, d: f64) (e: f64, f: f64, g: f64, h: f64) =
    (b * e + f * a, b * f, d * g + h * c, d * h)
  let f xs =
    map (\(a, b, c, d) -> [a, b, c, d])
        (scan op (0, 1, 0, 1) (map (\x -> (x[0], x[1], x[2], x[3])) xs))
  in vjp f xs seed
