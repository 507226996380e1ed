-- Operators on arrays that are not, or not quite, operators on their components.
-- ==
-- entry: rows_as_neutral
-- input { [[[1, 2, 3], [4, 5, 6]], [[1, 1, 1], [2, 2, 2]]] [0, 0, 0] }
-- output { [[2, 3, 4], [6, 7, 8]] }
-- input { empty([0][2][3]i32) [0, 0, 0] }
-- output { [[0, 0, 0], [0, 0, 0]] }
entry rows_as_neutral [n] [m] (a: [n][2][m]i32) (row: [m]i32) = reduce (map2 (map2 (+))) (replicate 2 row) a

-- ==
-- entry: mixed
-- input { [1, 2, 3, 4] [[1, 2, 3], [4, 5, 6], [1, 1, 2], [1, 1, 2]] }
-- output { 10 [4, 10, 72] }
entry mixed [n] [m] (a: [n]i32) (b: [n][m]i32) =
  reduce (\(x, xs) (y, ys) -> (x + y, map2 (*) xs ys)) (0, replicate m 1) (zip a b)

-- Sums and products, which a map inside gives in the other order.
-- ==
-- entry: swapped
-- input { [[2, 1], [3, 5], [4, 1]] [[2, 7], [3, 1], [5, 2]] }
-- output { [9, 7] [30, 14] }
entry swapped [n] [m] (a: [n][m]i32) (b: [n][m]i32) =
  reduce (\(xs, us) (ys, vs) -> let (p, q) = unzip (map4 (\x y u v -> (u * v, x + y)) xs ys us vs) in (q, p))
         (replicate m 0, replicate m 1) (zip a b)
