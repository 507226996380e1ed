-- Futhark #2256 (futhark-compat.md §7): reverse mode failed where a scan and a map were fused into a stream before it. The sum of p[i] x[i]^2, p the
-- prefix sums: for [1, 2, 3] 1 + 3 * 4 + 6 * 9 = 67; by x[j] 2 p[j] x[j] + (x[j]^2 + .. + x[n-1]^2): [2 + 14, 12 + 13, 36 + 9].
-- (by-definition/stream.ir has the stream itself.)
-- ==
-- input { [1.0, 2.0, 3.0] } output { 67.0 [16.0, 25.0, 45.0] }
-- input { [2.0] }           output { 8.0 [12.0] }
-- input { empty([0]f64) }   output { 0.0 empty([0]f64) }
entry main [n] (xs: [n]f64): (f64, [n]f64) =
  vjp2 (\xs -> f64.sum (map2 (\p x -> p * x * x) (scan (+) 0.0 xs) xs)) xs 1.0
