-- Views by offset and strides, and updates of them. Expected values: `futhark run` of 0.25.32.
-- ==
-- entry: in_two
-- input { [0, 1, 2, 3, 4, 5] 1i64 2i64 2i64 2i64 1i64 }
-- output { [[1, 2], [3, 4]] }
-- input { [0, 1, 2, 3, 4, 5] 5i64 2i64 -2i64 2i64 -1i64 }
-- output { [[5, 4], [3, 2]] }
-- input { [0, 1, 2, 3, 4, 5] 0i64 2i64 0i64 3i64 0i64 }
-- output { [[0, 0, 0], [0, 0, 0]] }
-- input { [0, 1, 2, 3, 4, 5] 1i64 2i64 5i64 2i64 1i64 }
-- error: Index out of bounds
-- input { [0, 1, 2, 3, 4, 5] -1i64 2i64 1i64 2i64 1i64 }
-- error: Index out of bounds
-- input { [0, 1, 2, 3, 4, 5] 0i64 2i64 -1i64 2i64 1i64 }
-- error: Index out of bounds
-- input { [0, 1, 2, 3, 4, 5] 7i64 0i64 1i64 2i64 1i64 }
-- output { empty([0][2]i32) }
-- input { empty([0]i32) 0i64 0i64 1i64 2i64 1i64 }
-- output { empty([0][2]i32) }
-- input { empty([0]i32) 0i64 1i64 1i64 2i64 1i64 }
-- error: Index out of bounds
entry in_two [n] (xs: [n]i32) (o: i64) (n1: i64) (s1: i64) (n2: i64) (s2: i64) : [][]i32 =
  intrinsics.flat_index_2d xs o n1 s1 n2 s2

-- ==
-- entry: in_more
-- input { [0, 1, 2, 3, 4, 5, 6, 7] }
-- output { [[[0, 2], [1, 3]], [[4, 6], [5, 7]]] [[[[7, 5], [6, 4]]], [[[3, 1], [2, 0]]]] }
entry in_more [n] (xs: [n]i32) : ([][][]i32, [][][][]i32) =
  (intrinsics.flat_index_3d xs 0 2 4 2 1 2 2, intrinsics.flat_index_4d xs 7 2 (-4) 1 100 2 (-1) 2 (-2))

-- ==
-- entry: updates
-- input { [0, 1, 2, 3, 4, 5] 1i64 2i64 1i64 [[10, 11], [12, 13]] }
-- output { [0, 10, 11, 12, 13, 5] }
-- input { [0, 1, 2, 3, 4, 5] 5i64 -2i64 -1i64 [[10, 11], [12, 13]] }
-- output { [0, 1, 13, 12, 11, 10] }
-- input { [0, 1, 2, 3, 4, 5] 3i64 2i64 1i64 [[10, 11], [12, 13]] }
-- error: Index out of bounds
-- input { [0, 1, 2, 3, 4, 5] 3i64 2i64 1i64 empty([0][2]i32) }
-- output { [0, 1, 2, 3, 4, 5] }
entry updates [n][k][l] (xs: *[n]i32) (o: i64) (s1: i64) (s2: i64) (vs: [k][l]i32) : *[n]i32 =
  intrinsics.flat_update_2d xs o s1 s2 vs

-- ==
-- entry: updates_of_more
-- input { [0, 1, 2, 3, 4, 5, 6, 7] }
-- output { [10, 1, 11, 3, 12, 5, 13, 7] [0, 10, 2, 11, 4, 12, 6, 13] }
entry updates_of_more [n] (xs: [n]i32) : ([n]i32, [n]i32) =
  ( intrinsics.flat_update_3d (copy xs) 0 4 1 2 [[[10, 11]], [[12, 13]]]
  , intrinsics.flat_update_4d (copy xs) 1 4 1 1 2 [[[[10, 11]]], [[[12, 13]]]])

-- In one row: [0, 2, 3, 5] and [2, 4, 5, 7], times [1, 10, 100, 1000].
-- ==
-- entry: in_one_row
-- input { [0i64, 1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64] [0i64, 2i64] }
-- output { [5320i64, 7542i64] }
entry in_one_row [n][m] (xs: [n]i64) (os: [m]i64) : [m]i64 =
  map (\o -> i64.sum (map2 (*) (flatten (intrinsics.flat_index_2d xs o 2 3 2 2) :> [4]i64) [1, 10, 100, 1000])) os
