-- `reduce`, `reduce_comm`, `scan`, `all`, `any`, `and`, `or`. Expected values: `futhark run` of 0.25.32.
-- ==
-- entry: reductions
-- input { [3, -1, 4] }
-- output { 6 -12 4 6i64 }
-- input { empty([0]i32) }
-- output { 0 1 -2147483648 0i64 }
-- input { [2147483647, 1] }
-- output { -2147483648 2147483647 2147483647 2147483648i64 }
entry reductions [n] (xs: [n]i32) : (i32, i32, i32, i64) =
  (reduce (+) 0 xs, reduce_comm (*) 1 xs, reduce i32.max i32.lowest xs, reduce (+) 0 (map i64.i32 xs))

-- Composition of x*a + b: associative, not commutative.
-- ==
-- entry: affine
-- input { [2, 3, 5] [1, -1, 4] }
-- output { 30 14 [2, 6, 30] [1, 2, 14] }
-- input { empty([0]i32) empty([0]i32) }
-- output { 1 0 empty([0]i32) empty([0]i32) }
entry affine [n] (a: [n]i32) (b: [n]i32) : (i32, i32, [n]i32, [n]i32) =
  let op (a, b) (c, d) = (a * c, b * c + d)
  let (x, y) = reduce op (1, 0) (zip a b)
  let (xs, ys) = unzip (scan op (1, 0) (zip a b))
  in (x, y, xs, ys)

-- ==
-- entry: rows
-- input { [[1, 2, 3], [10, 20, 30]] }
-- output { [11, 22, 33] [[1, 2, 3], [11, 22, 33]] }
-- input { empty([0][3]i32) }
-- output { [0, 0, 0] empty([0][3]i32) }
entry rows [n] (xs: [n][3]i32) : ([3]i32, [n][3]i32) =
  (reduce (map2 (+)) (replicate 3 0) xs, scan (map2 (+)) (replicate 3 0) xs)

-- ==
-- entry: bools
-- input { [true, true, false] }
-- output { false true false true }
-- input { [true, true] }
-- output { true true true true }
-- input { [false, false] }
-- output { false false false false }
-- input { empty([0]bool) }
-- output { true false true false }
entry bools [n] (xs: [n]bool) : (bool, bool, bool, bool) = (and xs, or xs, all id xs, any id xs)

-- ==
-- entry: tests
-- input { [1u8, 255u8] }
-- output { false true [1u8, 0u8] }
-- input { [1u8, 2u8] }
-- output { true false [1u8, 3u8] }
-- input { empty([0]u8) }
-- output { true false empty([0]u8) }
entry tests [n] (xs: [n]u8) : (bool, bool, [n]u8) = (all (< 3) xs, any (> 200) xs, scan (+) 0 xs)

-- ==
-- entry: segmented
-- input { [true, false, true, false, false] [1.0, 2.0, 3.0, 4.0, 5.0] }
-- output { [1.0, 3.0, 3.0, 7.0, 12.0] }
entry segmented [n] (flags: [n]bool) (xs: [n]f64) : [n]f64 =
  let op (f, x) (g, y) = (f || g, if g then y else x + y)
  let (_, sums) = unzip (scan op (false, 0) (zip flags xs))
  in sums
