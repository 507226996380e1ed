-- `filter`, `partition`, `partition2`. Expected values: `futhark run` of 0.25.32.
-- ==
-- entry: filters
-- input { [1, 5, 2, 7] }
-- output { [5, 7] }
-- input { [1, 1] }
-- output { empty([0]i32) }
-- input { [3] }
-- output { [3] }
-- input { empty([0]i32) }
-- output { empty([0]i32) }
entry filters [n] (xs: [n]i32) : []i32 = filter (> 2) xs

-- ==
-- entry: types
-- input { [1i8, -1i8] [1u16, 65535u16] [f32.nan, 1f32, -f32.inf] [true, false, true] }
-- output { [-1i8] [65535u16] [f32.nan, -f32.inf] [true, true] }
entry types [n][m] (a: [n]i8) (b: [n]u16) (c: [m]f32) (d: [m]bool) : ([]i8, []u16, []f32, []bool) =
  (filter (< 0) a, filter (> 9) b, filter (!= 1) c, filter id d)

-- ==
-- entry: pairs_and_rows
-- input { [3, 1, 2] [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] }
-- output { [3, 2] [[1.0, 2.0], [5.0, 6.0]] [[3.0, 4.0], [5.0, 6.0]] }
-- input { [0, 0, 0] [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] }
-- output { empty([0]i32) empty([0][2]f64) [[3.0, 4.0], [5.0, 6.0]] }
entry pairs_and_rows [n] (xs: [n]i32) (ys: [n][2]f64) : ([]i32, [][2]f64, [][2]f64) =
  let (a, b) = unzip (filter (\(x, _) -> x > 1) (zip xs ys))
  in (a, b, filter (\r -> r[0] > 2) ys)

-- ==
-- entry: partitions
-- input { [1, 5, 2, 7] }
-- output { [5, 7] [1, 2] }
-- input { [5, 6] }
-- output { [5, 6] empty([0]i32) }
-- input { [1, 2] }
-- output { empty([0]i32) [1, 2] }
-- input { empty([0]i32) }
-- output { empty([0]i32) empty([0]i32) }
entry partitions [n] (xs: [n]i32) : ([]i32, []i32) = partition (> 2) xs

-- ==
-- entry: in_three
-- input { [1, 5, 2, 7, 0, 3] }
-- output { [5, 7] [2, 3] [1, 0] }
-- input { [5, 6] }
-- output { [5, 6] empty([0]i32) empty([0]i32) }
-- input { [3, 2] }
-- output { empty([0]i32) [3, 2] empty([0]i32) }
-- input { [1] }
-- output { empty([0]i32) empty([0]i32) [1] }
-- input { empty([0]i32) }
-- output { empty([0]i32) empty([0]i32) empty([0]i32) }
entry in_three [n] (xs: [n]i32) : ([]i32, []i32, []i32) = partition2 (> 4) (> 1) xs

-- A predicate that fails.
-- ==
-- entry: failing
-- input { [1, 2, 4] }
-- output { [1, 2] }
-- input { [1, 0] }
-- error: division by zero
entry failing [n] (xs: [n]i32) : []i32 = filter (\x -> 4 / x > 1) xs

-- Sizes that differ in the branches of a loop.
-- ==
-- entry: sieve
-- input { 30i64 }
-- output { [2i64, 3i64, 5i64, 7i64, 11i64, 13i64, 17i64, 19i64, 23i64, 29i64] }
-- input { 3i64 }
-- output { [2i64] }
entry sieve (n: i64) : []i64 =
  let (_, primes) =
    loop (xs, primes) = (drop 2 (iota n), []) while length xs > 0 do
      let p = xs[0]
      in (filter (\x -> x % p != 0) xs, primes ++ [p])
  in primes

-- ==
-- entry: of_pairs
-- input { [1, 5, 2] [true, false, true] }
-- output { [2] [true] [1, 5] [true, false] }
entry of_pairs [n] (xs: [n]i32) (ys: [n]bool) : ([]i32, []bool, []i32, []bool) =
  let (a, b) = partition (\(x, y) -> x > 1 && y) (zip xs ys)
  let ((a1, a2), (b1, b2)) = (unzip a, unzip b)
  in (a1, a2, b1, b2)
