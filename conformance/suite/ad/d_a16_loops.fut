-- A16 (digest 000, table 5.A): loops with a tuple, nested, over an array, without iterations, in vjp too. Expected values by hand.

-- (a, b) := (b, a + b) from (x, y): after five times (3 x + 5 y, 5 x + 8 y). With the seed (1, 10): 3 + 50, 5 + 80.
-- ==
-- entry: pair
-- input { 5i64 1.0 1.0 } output { 8.0 13.0 53.0 85.0 }
-- input { 0i64 1.0 2.0 } output { 1.0 2.0 1.0 10.0 }
-- input { -3i64 1.0 2.0 } output { 1.0 2.0 1.0 10.0 }
entry pair (n: i64) (x: f64) (y: f64) : (f64, f64, f64, f64) =
  let f (x, y) = loop (a, b) = (x, y) for _i < n do (b, a + b)
  let ((a, b), (x', y')) = vjp2 f (x, y) (1, 10)
  in (a, b, x', y')

-- xs[j + 1] := xs[j] xs[j + 1] for j = 0 and 1, all of it m times: [a, b, c], [a, a b, a b c], [a, a^2 b, a^3 b^2 c]. With the seed 1 of
-- each, at (2, 3, 5): 1 + 2 a b + 3 a^2 b^2 c = 1 + 12 + 540, a^2 + 2 a^3 b c = 4 + 240, a^3 b^2 = 72.
-- ==
-- entry: nested
-- input { 2i64 [2.0, 3.0, 5.0] } output { [2.0, 12.0, 360.0] [553.0, 244.0, 72.0] }
-- input { 0i64 [2.0, 3.0, 5.0] } output { [2.0, 3.0, 5.0] [1.0, 1.0, 1.0] }
-- input { 2i64 [2.0] } output { [2.0] [1.0] }
entry nested [n] (m: i64) (xs: [n]f64) : ([n]f64, [n]f64) =
  let round (xs: *[n]f64) : *[n]f64 =
    loop xs for j < n - 1 do xs with [j + 1] = xs[j] * xs[j + 1]
  in vjp2 (\xs -> loop xs = copy xs for _i < m do round xs) xs (replicate n 1)

-- Over the elements: s := s x + 1 from 1: ((2 + 1) 3 + 1) 5 + 1 = 51; by 2 s 3 5 with s = 1, by 3 s 5 with s = 3, by 5 s = 10.
-- ==
-- entry: elements
-- input { [2.0, 3.0, 5.0] } output { 51.0 [15.0, 15.0, 10.0] }
-- input { empty([0]f64) } output { 1.0 empty([0]f64) }
entry elements [n] (xs: [n]f64) : (f64, [n]f64) =
  vjp2 (\xs -> loop s = 1 for x in xs do s * x + 1) xs 1

-- Doubled while it is below 100: 2 * 2^6.
-- ==
-- entry: while_loop
-- input { 2.0 } output { 128.0 64.0 }
-- input { 150.0 } output { 150.0 1.0 }
entry while_loop (x: f64) : (f64, f64) =
  vjp2 (\x -> loop x while x < 100 do 2 * x) x 1
