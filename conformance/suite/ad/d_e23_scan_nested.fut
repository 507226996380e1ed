-- E23 (digest 000, table 5.E): scans inside of maps, loops, branches, by hand.

-- Of 1 2 3 the products are 1 2 6, of 2 0 3 they are 2 0 0.
-- ==
-- entry: in_map
-- input { [[1.0, 2.0, 3.0], [2.0, 0.0, 3.0]] }
-- output { [[9.0, 4.0, 2.0], [1.0, 8.0, 0.0]] }
entry in_map [n] [m] (xss: [n][m]f64): [n][m]f64 = vjp (map (scan (*) 1.0)) xss (replicate n (replicate m 1.0))

-- With E21's operator and a z for each row: as there for z = 2; for z = 1 [621, 310, 200], and 10 * 2 + 100 * 6 * 2 by z.
-- ==
-- entry: in_map_free
-- input { [1.0, 2.0, 3.0] [1.0, 2.0] [1.0, 10.0, 100.0] }
-- output { [3062.0, 1530.0, 1000.0] [1220.0, 2420.0] }
entry in_map_free [n] [m] (xs: [n]f64) (zs: [m]f64) (seed: [n]f64): ([n]f64, [m]f64) =
  vjp (\(xs, zs) -> map (\z -> scan (\x y -> x * y * z) (1.0 / z) xs) zs) (xs, zs) (replicate m seed)

-- Sums of sums: 1 10 100 summed from the right, twice.
-- ==
-- entry: in_loop
-- input { [1.0, 2.0, 3.0] 2i64 }
-- output { [321.0, 210.0, 100.0] }
entry in_loop [n] (xs: [n]f64) (k: i64): [n]f64 =
  vjp (\xs -> loop xs for _i < k do scan (+) 0.0 xs) xs (map (\i -> 10.0 ** f64.i64 i) (iota n))

-- ==
-- entry: in_branch
-- input { true [1.0, 2.0, 3.0] }  output { [9.0, 4.0, 2.0] }
-- input { false [1.0, 2.0, 3.0] } output { [3.0, 3.0, 3.0] }
entry in_branch [n] (b: bool) (xs: [n]f64): [n]f64 =
  vjp (\xs -> if b then scan (*) 1.0 xs else map (3.0 *) xs) xs (replicate n 1.0)
