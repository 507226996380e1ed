-- Histograms by operators that are nearly, but not quite, those of scalars one by one. Outputs: Futhark 0.25.32.

-- A sum beside that sum and five, which adds the same.
-- ==
-- entry: sum_and_five
-- input { [0i64, 1i64, 0i64, 1i64, 0i64] [1i64, 2i64, 3i64, 4i64, 5i64] }
-- output { [9i64, 6i64] [14i64, 11i64] }
entry sum_and_five [n] (is: [n]i64) (vs: [n]i64): ([2]i64, [2]i64) =
  unzip (reduce_by_index (replicate 2 (0, 5)) (\(a, b) (c, _) -> (a + c, b + c)) (0, 5) is (map (\v -> (v, v + 5)) vs))

-- The least of zeros of both signs, of equal ones the second: 2^63 is -0.
-- ==
-- entry: second_least
-- input { [0f64, -0f64, 0f64] [0i64, 1i64, 2i64] [-0f64, 0f64, 0f64] }
-- output { [9223372036854775808u64, 0u64, 0u64] }
entry second_least [n] (ds: [n]f64) (is: [n]i64) (vs: [n]f64): [n]u64 =
  map f64.to_bits (reduce_by_index (copy ds) (\a b -> f64.min b a) f64.inf is vs)

-- And of rows.
-- ==
-- entry: second_least_of_rows
-- input { [[0f64, -0f64], [0f64, 0f64]] [0i64, 1i64] [[-0f64, 0f64], [0f64, -0f64]] }
-- output { [[9223372036854775808u64, 0u64], [0u64, 9223372036854775808u64]] }
entry second_least_of_rows [n] (ds: [n][2]f64) (is: [n]i64) (vs: [n][2]f64): [n][2]u64 =
  map (map f64.to_bits) (reduce_by_index (copy ds) (\a b -> map2 f64.min b a) (replicate 2 f64.inf) is vs)

-- Unions of rows of sets of 1 and 2, in which all is behind the first set of both that is.
-- ==
-- entry: both_so_far
-- input { [0i64, 1i64, 0i64] [[1i64, 0i64, 0i64], [1i64, 1i64, 2i64], [2i64, 0i64, 1i64]] }
-- output { [[3i64, 3i64, 3i64], [1i64, 1i64, 2i64]] }
entry both_so_far [n] (is: [n]i64) (vs: [n][3]i64): [2][3]i64 =
  let behind (a: i64) (b: i64) = if b == -1 then a else if a == 3 then 3 else b
  in reduce_by_index (replicate 2 [0, 0, 0]) (\a b -> scan behind (-1) (map2 (|) a b)) [0, 0, 0] is vs
