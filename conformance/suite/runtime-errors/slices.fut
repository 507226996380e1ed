-- Slices out of bounds, at extreme bounds too. Hand calculation; 0.25.32 says the same, but for updates `Bad update`.

-- ==
-- entry: both
-- input { [1, 2, 3] 0i64 3i64 } output { [1, 2, 3] }
-- input { [1, 2, 3] 1i64 1i64 } output { empty([0]i32) }
-- input { [1, 2, 3] 3i64 3i64 } output { empty([0]i32) }
-- input { [1, 2, 3] 0i64 4i64 } error: Index \[0:4\] out of bounds for array of shape \[3\]
-- input { [1, 2, 3] -1i64 2i64 } error: Index \[-1:2\] out of bounds for array of shape \[3\]
-- input { [1, 2, 3] 2i64 1i64 } error: Index \[2:1\] out of bounds for array of shape \[3\]
-- input { [1, 2, 3] 0i64 9223372036854775807i64 } error: Index \[0:9223372036854775807\] out of bounds
-- input { [1, 2, 3] -9223372036854775808i64 3i64 } error: Index \[-9223372036854775808:3\] out of bounds
-- input { [1, 2, 3] -9223372036854775808i64 9223372036854775807i64 } error: out of bounds
-- input { empty([0]i32) 0i64 1i64 } error: Index \[0:1\] out of bounds for array of shape \[0\]
entry both (xs: []i32) (i: i64) (j: i64) : []i32 = xs[i:j]

-- With a stride the last element that is taken is in the array.
-- ==
-- entry: strided
-- input { [1, 2, 3, 4, 5] 0i64 5i64 2i64 } output { [1, 3, 5] }
-- input { [1, 2, 3, 4, 5] 4i64 0i64 -2i64 } output { [5, 3] }
-- input { [1, 2, 3, 4, 5] 0i64 7i64 2i64 } error: Index \[0:7:2\] out of bounds for array of shape \[5\]
-- input { [1, 2, 3, 4, 5] 0i64 5i64 0i64 } error: Index \[0:5:0\] out of bounds
-- input { [1, 2, 3, 4, 5] 0i64 5i64 -1i64 } error: Index \[0:5:-1\] out of bounds
entry strided (xs: []i32) (i: i64) (j: i64) (s: i64) : []i32 = xs[i:j:s]

-- ==
-- entry: rows
-- input { [[1, 2], [3, 4]] 1i64 2i64 } output { [[3, 4]] }
-- input { [[1, 2], [3, 4]] 1i64 3i64 } error: out of bounds
-- input { empty([2][0]i32) 0i64 2i64 } output { empty([2][0]i32) }
entry rows (xss: [][]i32) (i: i64) (j: i64) : [][]i32 = xss[i:j]

-- ==
-- entry: columns
-- input { [[1, 2], [3, 4]] 1i64 2i64 } output { [[2], [4]] }
-- input { [[1, 2], [3, 4]] 1i64 3i64 } error: out of bounds
-- input { empty([0][2]i32) 1i64 2i64 } output { empty([0][1]i32) }
entry columns (xss: [][]i32) (i: i64) (j: i64) : [][]i32 = xss[:, i:j]

-- What is updated must be there as well.
-- ==
-- entry: update
-- input { [1, 2, 3] 1i64 [7, 8] } output { [1, 7, 8] }
-- input { [1, 2, 3] 2i64 [7, 8] } error: out of bounds
-- input { [1, 2, 3] 3i64 empty([0]i32) } output { [1, 2, 3] }
-- input { [1, 2, 3] -1i64 [7] } error: out of bounds
entry update [n][k] (xs: *[n]i32) (i: i64) (ys: [k]i32) : [n]i32 = xs with [i:i + k] = sized (i + k - i) ys
