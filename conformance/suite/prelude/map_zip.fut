-- `map` to `map5`, `zip` to `zip5` and back. Expected values: `futhark run` of 0.25.32.
-- ==
-- entry: one
-- input { [1, -2, 3] }
-- output { [2, -1, 4] [1i64, -2i64, 3i64] [true, false, true] [[1, -1], [-2, 2], [3, -3]] }
-- input { empty([0]i32) }
-- output { empty([0]i32) empty([0]i64) empty([0]bool) empty([0][2]i32) }
entry one [n] (xs: [n]i32) : ([n]i32, [n]i64, [n]bool, [n][2]i32) =
  (map (+ 1) xs, map i64.i32 xs, map1 (> 0) xs, map (\x -> [x, -x]) xs)

-- ==
-- entry: several
-- input { [1.5, 2.5] [1u8, 2u8] [true, false] [10i64, 20i64] [-1i16, 7i16] }
-- output { [2.5, 4.5] [1.5, 2.0] [11.5, 22.0] [-8.5, 142.0] }
-- input { empty([0]f64) empty([0]u8) empty([0]bool) empty([0]i64) empty([0]i16) }
-- output { empty([0]f64) empty([0]f64) empty([0]f64) empty([0]f64) }
entry several [n] (a: [n]f64) (b: [n]u8) (c: [n]bool) (d: [n]i64) (e: [n]i16) : ([n]f64, [n]f64, [n]f64, [n]f64) =
  ( map2 (\a b -> a + f64.u8 b) a b
  , map3 (\a b c -> if c then a else f64.u8 b) a b c
  , map4 (\a b c d -> (if c then a else f64.u8 b) + f64.i64 d) a b c d
  , map5 (\a b c d e -> (if c then a else f64.u8 b) + f64.i64 d * f64.i16 e) a b c d e)

-- A function that takes its arguments one after the other, and one of pairs.
-- ==
-- entry: partial
-- input { [1, 2, 3] [4, 5, 6] }
-- output { [-3, -3, -3] [-3, -3, -3] }
entry partial [n] (xs: [n]i32) (ys: [n]i32) : ([n]i32, [n]i32) =
  (map2 (-) xs ys, map (uncurry (-)) (zip xs ys))

-- ==
-- entry: zips
-- input { [1, 2] [3.5, 4.5] [true, false] [5i64, 6i64] [[7u8], [8u8]] }
-- output { [1, 2] [3.5, 4.5] [2, 1] [4.5, 3.5] [false, true] [2, 1] [4.5, 3.5] [false, true] [6i64, 5i64] [1, 2] [3.5, 4.5] [true, false] [5i64, 6i64] [[7u8], [8u8]] [1, 2] [3.5, 4.5] [[7u8], [8u8]] }
entry zips [n] (a: [n]i32) (b: [n]f64) (c: [n]bool) (d: [n]i64) (e: [n][1]u8) =
  let (a2, b2) = unzip2 (zip2 a b)
  let (a3, b3, c3) = unzip3 (reverse (zip3 a b c))
  let (a4, b4, c4, d4) = unzip4 (rotate 1 (zip4 a b c d))
  let (a5, b5, c5, d5, e5) = unzip5 (zip5 a b c d e)
  let (p, q) = unzip (zip (zip a b) e)
  let (p1, p2) = unzip p
  in (a2, b2, a3, b3, c3, a4, b4, c4, d4, a5, b5, c5, d5, e5, p1, p2, q)

-- Rows of tuples of arrays.
-- ==
-- entry: nested
-- input { [[1, 2], [3, 4]] [[5.0], [6.0]] }
-- output { [8.0, 13.0] }
-- input { empty([0][2]i32) empty([0][1]f64) }
-- output { empty([0]f64) }
entry nested [n] (a: [n][2]i32) (b: [n][1]f64) : [n]f64 =
  map (\(x, y) -> f64.i32 (i32.sum x) + y[0]) (zip a b)
