-- Updates (language reference, "x with [i] = e", "let x[i] = e"): elements, rows, slices, strides, fields. By hand; the same in 0.25.32.

-- ==
-- entry: elements
-- input { [1, 2, 3] 0i64 } output { [9, 2, 3] [1, 2, 3] }
-- input { [1, 2, 3] 2i64 } output { [1, 2, 9] [1, 2, 3] }
-- input { [1, 2, 3] 3i64 } error: Index \[3\] out of bounds for array of shape \[3\]
-- input { empty([0]i32) 0i64 } error: Index \[0\] out of bounds for array of shape \[0\]
entry elements [n] (xs: [n]i32) (i: i64) : ([n]i32, [n]i32) = (copy xs with [i] = 9, xs)

-- ==
-- entry: of_rows
-- input { [[1, 2], [3, 4]] [7, 8] } output { [[1, 2], [7, 8]] [[1, 7], [3, 8]] [[1, 2], [3, 0]] }
entry of_rows (a: [2][2]i32) (row: [2]i32) : ([2][2]i32, [2][2]i32, [2][2]i32) =
  (copy a with [1] = row, copy a with [:, 1] = row, copy a with [1, 1] = 0)

-- ==
-- entry: of_slices
-- input { [0, 1, 2, 3, 4, 5] [7, 8, 9] } output { [0, 1, 7, 8, 9, 5] [7, 1, 8, 3, 9, 5] [0, 9, 2, 8, 4, 7] }
entry of_slices (xs: [6]i32) (ys: [3]i32) : ([6]i32, [6]i32, [6]i32) =
  (copy xs with [2:5] = ys, copy xs with [::2] = ys, copy xs with [5:0:-2] = ys)

-- ==
-- entry: by_let
-- input { [1, 2, 3] } output { [10, 12, 3] }
entry by_let (xs: *[3]i32) : [3]i32 =
  let xs[0] = 10
  let xs[1] = xs[0] + xs[1]
  in xs

-- In turns of a loop: the sums up to each element.
-- ==
-- entry: in_loop
-- input { [1, 2, 3, 4] } output { [1, 3, 6, 10] }
-- input { empty([0]i32) } output { empty([0]i32) }
-- input { [5] } output { [5] }
entry in_loop [n] (xs: *[n]i32) : [n]i32 = loop xs for i < n - 1 do xs with [i + 1] = xs[i] + xs[i + 1]

-- ==
-- entry: of_fields
-- input { 1 2 } output { 5 2 1 7 }
entry of_fields (x: i32) (y: i32) : (i32, i32, i32, i32) =
  let r = {a = x, b = {c = y, d = x}}
  let s = r with a = 5
  let t = r with b.c = 7
  in (s.a, s.b.c, t.a, t.b.c)

-- The new value may be made of the old one.
-- ==
-- entry: of_itself
-- input { [1, 2, 3] } output { [6, 2, 3] }
-- input { [2147483647, 1, 0] } output { [-2147483648, 1, 0] }
entry of_itself (xs: *[3]i32) : [3]i32 = xs with [0] = xs[0] + xs[1] + xs[2]

-- An array of pairs, and one of the two arrays of a pair.
-- ==
-- entry: of_pairs
-- input { [1, 2] [3, 4] } output { [1, 8] [3, 9] [7, 2] }
entry of_pairs [n] (xs: *[n]i32) (ys: [n]i32) : ([n]i32, [n]i32, [n]i32) =
  let zs = copy (zip xs ys) with [1] = (8, 9)
  let (a, b) = unzip zs
  let p = (xs, ys)
  in (copy a, copy b, p.0 with [0] = 7)
