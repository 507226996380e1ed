-- The combinators of Accelerate, by hand. What van den Haak et al. make of them, with its gradients, is in conformance/suite/accelerate.
import "/prelude/lib/accelerate"

-- A start that is not neutral is used once; of nothing it is the result (digest 001, L13: 3 and 16).
-- ==
-- entry: starts
-- input { [1.0, 2.0] [1.0, 2.0, 3.0] } output { 3.0 16.0 }
-- input { empty([0]f64) empty([0]f64) } output { 3.0 10.0 }
entry starts [n][m] (a: [n]f64) (b: [m]f64) : (f64, f64) = (fold f64.max 3 a, fold (+) 10 b)

-- ==
-- entry: nothing
-- input { empty([0]f64) } error: out of bounds
entry nothing [n] (a: [n]f64) : f64 = fold1 (+) a

-- Row sums by hand, also of no rows and of empty rows.
-- ==
-- entry: rows
-- input { [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] } output { [16.0, 25.0] [6.0, 15.0] 31.0 [6.0, 15.0] }
-- input { empty([0][3]f64) } output { empty([0]f64) empty([0]f64) 10.0 empty([0]f64) }
entry rows [n][m] (a: [n][m]f64) : ([n]f64, [n]f64, f64, [n]f64) =
  (fold_2d (+) 10 a, fold1_2d (+) a, foldAll_2d (+) 10 a, sum_2d a)

-- [z, z+x0, …] and […, x2+z, z].
-- ==
-- entry: scans
-- input { 100 [1, 2, 3] } output { [100, 101, 103, 106] [106, 105, 103, 100] [1, 3, 6] [6, 5, 3] }
-- input { 100 empty([0]i32) } output { [100] [100] empty([0]i32) empty([0]i32) }
entry scans [n] (z: i32) (xs: [n]i32) : ([]i32, []i32, [n]i32, [n]i32) =
  (scanl (+) z xs, scanr (+) z xs, scanl1 (+) xs, scanr1 (+) xs)

-- An operator that does not commute: numbers with their powers of ten, one written after the other. 7 before or after 1, 2, 3.
-- ==
-- entry: scans_in_order
-- input { [1, 2, 3] } output { [7, 71, 712, 7123] [1237, 237, 37, 7] [1, 12, 123] [123, 23, 3] }
entry scans_in_order [n] (xs: [n]i32) : ([]i32, []i32, [n]i32, [n]i32) =
  let op (x, p) (y, q) = (x * q + y, p * q)
  let xs = map (\x -> (x, 10)) xs
  let first (ys: [](i32, i32)) = (unzip ys).0
  in (first (scanl op (7, 10) xs), first (scanr op (7, 10) xs), first (scanl1 op xs) :> [n]i32, first (scanr1 op xs) :> [n]i32)

-- Every pattern of replicate: the shape, and the element at indices 1, 2, … along what is kept.
-- ==
-- entry: patterns
-- input { [[1, 2, 3], [4, 5, 6]] }
-- output { [[4, 5, 6], [4, 5, 6]] [[6, 6], [6, 6]] [[[1, 2, 3], [4, 5, 6]], [[1, 2, 3], [4, 5, 6]]]
--          [[[1, 2, 3], [1, 2, 3]], [[4, 5, 6], [4, 5, 6]]] [[[1, 1], [2, 2], [3, 3]], [[4, 4], [5, 5], [6, 6]]]
--          [6, 6, 6, 6, 6, 6, 6, 6, 6] }
entry patterns (a: [2][3]i32) : ([2][3]i32, [2][2]i32, [2][2][3]i32, [2][2][3]i32, [2][3][2]i32, [9]i32) =
  ( replicate_na 2 a[1], replicate_nn 2 2 a[1, 2], replicate_naa 2 a, replicate_ana 2 a, replicate_aan 2 a
  , [ (replicate_nna 4 5 a[1])[3, 4, 2], (replicate_nan 4 5 a[1])[3, 2, 4], (replicate_ann 4 5 a[1])[2, 3, 4]
    , (replicate_naan 4 5 a)[3, 1, 2, 4], (replicate_anna 4 5 a)[1, 3, 4, 2], (replicate_nnaa 4 5 a)[3, 4, 1, 2]
    , (replicate_aann 4 5 a)[1, 2, 3, 4], (replicate_nana 4 5 a)[3, 1, 4, 2], (replicate_anan 4 5 a)[1, 3, 2, 4] ])

-- Every pattern of slice, of the numbers ijk at [i, j, k].
-- ==
-- entry: parts
-- input { 0i64 }
-- output { [100i64, 101i64, 102i64] [[10i64, 11i64, 12i64], [110i64, 111i64, 112i64]] [[2i64, 12i64], [102i64, 112i64]] [110i64, 111i64, 112i64]
--          [102i64, 112i64] [12i64, 112i64] [112i64, 1i64, 11i64, 2i64] [1i64, 11i64] [10i64, 11i64] [100i64, 110i64] [10i64, 110i64] }
entry parts (zero: i64) : ([3]i64, [2][3]i64, [2][2]i64, [3]i64, [2]i64, [2]i64, [4]i64, [2]i64, [2]i64, [2]i64, [2]i64) =
  let a = generate_3d 2 2 3 (\i j k -> zero + 100 * i + 10 * j + k)
  let b = generate_4d 2 2 2 2 (\i j k l -> 1000 * i + 100 * j + 10 * k + l)
  in ( (slice_naa 1 a)[0], slice_ana 1 a, slice_aan 2 a, slice_nna 1 1 a, slice_nan 1 2 a, slice_ann 1 2 a
     , [slice_nnn 1 1 2 a, slice_n 1 a[0, 0], slice_nn 1 1 a[0], slice_na 0 a[0] |> last]
     , slice_an 1 a[0], (slice_nana 0 1 b)[0], (slice_anan 1 0 b)[0], slice_an 0 (slice_an 1 a))

-- Gathers of more dimensions: transposition, diagonals, by hand.
-- ==
-- entry: gathers_of_more
-- input { [[1, 2], [3, 4]] }
-- output { [1, 4] [[1, 3], [2, 4]] [[[1, 1], [2, 2]], [[3, 3], [4, 4]]] [1, 4] [[1, 3], [2, 4]] [[[1, 2], [1, 2]], [[3, 4], [3, 4]]] [2, 1] }
entry gathers_of_more (a: [2][2]i32) : ([2]i32, [2][2]i32, [2][2][2]i32, [2]i32, [2][2]i32, [2][2][2]i32, [2]i32) =
  let b = replicate_na 3 a
  in ( backpermute_2_1 2 (\i -> (i, i)) a, backpermute_2_2 2 2 (\i j -> (j, i)) a, backpermute_2_3 2 2 2 (\i j _ -> (i, j)) a
     , backpermute_3_1 2 (\i -> (2, i, i)) b, backpermute_3_2 2 2 (\i j -> (0, j, i)) b
     , backpermute_3_3 2 2 2 (\i j k -> (j, i, k)) b, backpermute 2 (1 -) a[0])

-- A histogram without a neutral element: where nothing comes, what was there. The largest of 5 and those that come; positions out of range, or none.
-- ==
-- entry: scatters
-- input { [5, 5, 5] [3, 9, 4, 7, 8] [0i64, 0i64, 1i64, 5i64, 2i64] [true, true, true, true, false] } output { [9, 5, 5] [17, 9, 5] }
-- input { [5, 5, 5] empty([0]i32) empty([0]i64) empty([0]bool) } output { [5, 5, 5] [5, 5, 5] }
entry scatters [n][m] (dest: [m]i32) (xs: [n]i32) (is: [n]i64) (there: [n]bool) : ([m]i32, [m]i32) =
  (permute i32.max dest (\i -> (there[i], is[i])) xs, permute (+) dest (\i -> (there[i], is[i])) xs)

-- ==
-- entry: scatters_of_more
-- input { [[1, 2], [3, 4]] } output { [[1, 3], [2, 4]] [5, 5] [[1, 0], [0, 5]] }
entry scatters_of_more (a: [2][2]i32) : ([2][2]i32, [2]i32, [2][2]i32) =
  let zeros = replicate_nn 2 2 0
  in ( permute_2_2 (+) zeros (\i j -> (true, (j, i))) a
     , permute_2_1 (+) (replicate_n 2 0) (\i j -> (true, (i + j) % 2)) a
     , permute_1_2 (+) zeros (\i -> (i != 1, (i / 2, i / 2))) [1, 7, 2, 3])
