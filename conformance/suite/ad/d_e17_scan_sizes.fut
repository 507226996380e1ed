-- E17 (digest 000, table 5.E): scans of nothing, of one, two, and more elements than a workgroup has, or than a few workgroups. By hand:
-- every later element depends by 1 on each of the ones, so that element i gets seed (n - i). With linear functions x -> 1 + 1 x, composed
-- from the left, element i has the result i + 1 and the slope of i gets that of i - 1, i, times seed (n - i).

def after (a: f64, b: f64) (c: f64, d: f64): (f64, f64) = (c + d * a, b * d)

-- ==
-- entry: long
-- input { 0i64 2.0 } output { 0.0 0.0 0.0 }
-- input { 1i64 2.0 } output { 0.0 0.0 0.0 }
-- input { 2i64 2.0 } output { 0.0 0.0 0.0 }
-- input { 3i64 2.0 } output { 0.0 0.0 0.0 }
-- input { 257i64 2.0 } output { 0.0 0.0 0.0 }
-- input { 1025i64 2.0 } output { 0.0 0.0 0.0 }
-- input { 5000i64 1.0 } output { 0.0 0.0 0.0 }
entry long (n: i64) (seed: f64): (f64, f64, f64) =
  let g = vjp (scan (+) 0.0) (replicate n 1.0) (replicate n seed)
  let h = vjp (scan (*) 1.0) (replicate n 1.0) (replicate n seed)
  let (a, b) = vjp (\(a, b) -> (unzip (scan after (0.0, 1.0) (zip a b))).0) (replicate n 1.0, replicate n 1.0) (replicate n seed)
  let wrong want xs = f64.sum (map2 (\i x -> f64.abs (x - want i)) (iota n) xs)
  let rest i = f64.i64 (n - i) * seed
  in (wrong rest g, wrong rest h, wrong rest a + wrong (\i -> f64.i64 i * rest i) b)

-- ==
-- entry: small
-- input { empty([0]f64) empty([0]f64) }
-- output { empty([0]f64) empty([0]f64) }
-- input { [3.0] [5.0] }
-- output { [3.0] [5.0] }
-- input { [3.0, 4.0] [5.0, 7.0] }
-- output { [3.0, 12.0] [33.0, 21.0] }
entry small [n] (xs: [n]f64) (seed: [n]f64): ([n]f64, [n]f64) = vjp2 (scan (*) 1.0) xs seed

-- ==
-- entry: small_dual
-- input { empty([0]f64) empty([0]f64) empty([0]f64) empty([0]f64) }
-- output { empty([0]f64) empty([0]f64) }
-- input { [3.0] [4.0] [5.0] [7.0] }
-- output { [5.0] [7.0] }
entry small_dual [n] (a: [n]f64) (b: [n]f64) (sa: [n]f64) (sb: [n]f64): ([n]f64, [n]f64) =
  vjp (\(a, b) -> unzip (scan (\(a, b) (c, d) -> (b * c + d * a, b * d)) (0.0, 1.0) (zip a b))) (a, b) (sa, sb)
