-- E21, X7 (digest 000, tables 5.E, 5.F): x y z with a free z, neutral element 1 / z, in a reduction, a scan and a histogram. By hand: a
-- result of n factors has z^(n-1); by z that gives (n-1) y / z.

-- 1*2*3 * 2^2 = 24; by z 2 * 24 / 2.
-- ==
-- entry: reduction
-- input { [1.0, 2.0, 3.0] 2.0 }
-- output { 24.0 [24.0, 12.0, 8.0] 24.0 }
entry reduction [n] (xs: [n]f64) (z: f64): (f64, [n]f64, f64) =
  let (y, (v, w)) = vjp2 (\(xs, z) -> reduce (\x y -> x * y * z) (1.0 / z) xs) (xs, z) 1.0
  in (y, v, w)

-- 1, 4, 24 with 1, 10, 100; by z 10 * 2 + 100 * 6 * 2 z.
-- ==
-- entry: scanned
-- input { [1.0, 2.0, 3.0] 2.0 [1.0, 10.0, 100.0] }
-- output { [1.0, 4.0, 24.0] [2441.0, 1220.0, 800.0] 2420.0 }
entry scanned [n] (xs: [n]f64) (z: f64) (seed: [n]f64): ([n]f64, [n]f64, f64) =
  let (y, (v, w)) = vjp2 (\(xs, z) -> scan (\x y -> x * y * z) (1.0 / z) xs) (xs, z) seed
  in (y, v, w)

-- Bin 0 has 1*2*3 * z^2, bin 1 2*5 * z, bin 2 nothing but 4; by z 6 * 2 z + 10 * 10.
-- ==
-- entry: histogram
-- input { [0i64, 0i64, 1i64, -1i64] [1.0, 2.0, 4.0] [2.0, 3.0, 5.0, 7.0] 2.0 [1.0, 10.0, 100.0] }
-- output { [24.0, 20.0, 4.0] [24.0, 100.0, 100.0] [12.0, 8.0, 40.0, 0.0] 124.0 }
entry histogram [w] [n] (is: [n]i64) (dst: [w]f64) (vs: [n]f64) (z: f64) (seed: [w]f64): ([w]f64, [w]f64, [n]f64, f64) =
  let f (dst, vs, z) = reduce_by_index (copy dst) (\x y -> x * y * z) (1.0 / z) is vs
  let (y, (d, v, u)) = vjp2 f (dst, vs, z) seed
  in (y, d, v, u)
