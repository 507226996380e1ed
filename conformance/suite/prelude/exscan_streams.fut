-- `exscan`, `stream_map`, `stream_red`, `stream_red_comm`: not in 0.25.32. Expected values by hand.

-- 0, 3, 3+1, 3+1+4; and 1, 3, 3*1, 3*1*4.
-- ==
-- entry: proper_prefixes
-- input { [3, 1, 4, 1] } output { [0, 3, 4, 8] [1, 3, 3, 12] }
-- input { [3] } output { [0] [1] }
-- input { empty([0]i32) } output { empty([0]i32) empty([0]i32) }
entry proper_prefixes [n] (xs: [n]i32) : ([n]i32, [n]i32) = (exscan (+) 0 xs, exscan (*) 1 xs)

-- x*a + b composed from left to right, which does not commute: (1, 0), (2, 1), (2*3, 1*3-1).
-- ==
-- entry: affine
-- input { [2, 3, 5] [1, -1, 4] } output { [1, 2, 6] [0, 1, 2] }
entry affine [n] (a: [n]i32) (b: [n]i32) : ([n]i32, [n]i32) =
  unzip (exscan (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip a b))

-- ==
-- entry: rows
-- input { [[1, 2], [10, 20], [100, 200]] } output { [[0, 0], [1, 2], [11, 22]] }
entry rows [n] (xs: [n][2]i32) : [n][2]i32 = exscan (map2 (+)) [0, 0] xs

-- ==
-- entry: mapped
-- input { [1, 2, 3] [10, 20, 30] } output { [11, 22, 33] [false, true, true] }
-- input { empty([0]i32) empty([0]i32) } output { empty([0]i32) empty([0]bool) }
entry mapped [n] (xs: [n]i32) (ys: [n]i32) : ([n]i32, [n]bool) =
  unzip (stream_map (\c (chunk: [c](i32, i32)) -> map (\(x, y) -> (x + y, x > 1)) chunk) (zip xs ys))

-- Each element of a chunk is computed from the one before, the first from its index: what a chunk gives does not depend on where it is cut.
-- ==
-- entry: squares
-- input { 5i64 } output { [0i64, 1i64, 4i64, 9i64, 16i64] }
-- input { 0i64 } output { empty([0]i64) }
entry squares (n: i64) : [n]i64 =
  stream_map (\c (is: [c]i64) -> if c == 0 then replicate c 0
                                 else let first = is[0]
                                      in scan (+) 0 (map (\i -> if i == first then i * i else 2 * i - 1) is))
             (iota n)

-- 1+4+9+16; the sum of nothing is 0.
-- ==
-- entry: reduced
-- input { [1, 2, 3, 4] } output { 30 30 }
-- input { empty([0]i32) } output { 0 0 }
entry reduced [n] (xs: [n]i32) : (i32, i32) =
  ( stream_red (+) (\c (chunk: [c]i32) -> i32.sum (map (\x -> x * x) chunk)) xs
  , stream_red_comm (+) (\c (chunk: [c]i32) -> foldl (\a x -> a + x * x) 0 chunk) xs)

-- How many of each, chunk by chunk: 0 twice, 1 once, 2 three times.
-- ==
-- entry: counted
-- input { [0i64, 2i64, 1i64, 2i64, 0i64, 2i64, 7i64] } output { [2, 1, 3] }
-- input { empty([0]i64) } output { [0, 0, 0] }
entry counted [n] (is: [n]i64) : [3]i32 =
  stream_red_comm (map2 (+)) (\c (chunk: [c]i64) -> hist (+) 0 3 chunk (map (const 1) chunk)) is

-- The first of the greatest, as a pair; nothing is (lowest, -1). Does not commute.
-- ==
-- entry: greatest
-- input { [3.0, 9.0, 9.0, 1.0] } output { 9.0 1i64 }
-- input { empty([0]f64) } output { -f64.inf -1i64 }
entry greatest [n] (xs: [n]f64) : (f64, i64) =
  let op (x, i) (y, j) = if y > x then (y, j) else (x, i)
  in stream_red op (\c (chunk: [c](f64, i64)) -> reduce op (f64.lowest, -1) chunk) (zip xs (iota n))
