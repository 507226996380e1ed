-- E19 (digest 000, table 5.E): components of several types. A product of f32 and a sum of i64 do not interact: E1's columns at 1 2 3,
-- times 1 10 100: 1 + 20 + 600, 10 + 300, 200. A segmented sum, of pairs of a number and a flag: [1 2] [3 4 5] with 1 10 100 1000 10000
-- gets 11 10 11100 11000 10000.

-- ==
-- entry: apart
-- input { [1f32, 2f32, 3f32] [4i64, 5i64, 6i64] [1f32, 10f32, 100f32] }
-- output { [1f32, 2f32, 6f32] [4i64, 9i64, 15i64] [621f32, 310f32, 200f32] }
entry apart [n] (xs: [n]f32) (is: [n]i64) (seed: [n]f32): ([n]f32, [n]i64, [n]f32) =
  let f xs = unzip (scan (\(a, i) (b, j) -> (a * b, i + j)) (1f32, 0i64) (zip xs is))
  let ((p, s), g) = vjp2 f xs (seed, replicate n 0)
  in (p, s, g)

-- ==
-- entry: segmented
-- input { [1.0, 2.0, 3.0, 4.0, 5.0] [true, false, true, false, false] [1.0, 10.0, 100.0, 1000.0, 10000.0] }
-- output { [1.0, 3.0, 3.0, 7.0, 12.0] [11.0, 10.0, 11100.0, 11000.0, 10000.0] }
entry segmented [n] (xs: [n]f64) (flags: [n]bool) (seed: [n]f64): ([n]f64, [n]f64) =
  let op (x, f) (y, g) = (if g then y else x + y, f || g)
  in vjp2 (\xs -> (unzip (scan op (0.0, false) (zip xs flags))).0) xs seed

-- An f32 that is multiplied into an f64: (a, b) (c, d) = (a c, b c + d) with a and c of f32. Of (1 2 3) (1 1 1) the second is 1, 2 + 1, 3
-- * 3 + 1. Seeded by 1 in the last second component: it moves by 3 * 3, 1 for d; by c of the third 3, of the second 1 * 3; by d 6, 3, 1.
-- ==
-- entry: together
-- input { [1f32, 2f32, 3f32] [1.0, 1.0, 1.0] } output { [1.0, 3.0, 10.0] [0f32, 3f32, 3f32] [6.0, 3.0, 1.0] }
entry together [n] (xs: [n]f32) (ys: [n]f64): ([n]f64, [n]f32, [n]f64) =
  let op (a: f32, b: f64) (c: f32, d: f64) = (a * c, b * f64.f32 c + d)
  let last = map (\i -> f64.bool (i == n - 1)) (iota n)
  let (y, (g, h)) = vjp2 (\(xs, ys) -> (unzip (scan op (1f32, 0.0) (zip xs ys))).1) (xs, ys) last
  in (y, g, h)
