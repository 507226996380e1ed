-- Programs of the appendix of van den Haak et al.'s thesis (digest 001, §2.4), as they stand there, each with its gradient. Expected values: the digest, with more
-- digits by dual numbers in another language.
import "/prelude/lib/accelerate"

-- Arrays of different lengths: what is left over has the gradient 0.
-- ==
-- entry: zip_with
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] [0.5, 1.25, 2.0, 1.75] }
-- output { -1.250278703259856 [-0.9899924966004454, -0.9941296760805463, -0.9364566872907963, -0.3857479374522218, 0.0, 0.0]
--          [-0.9337875292454091, -0.6547260192379074, -0.26015492537182694, -0.10375094090136486] }
-- input { [1.0] empty([0]f64) } output { 0.0 [0.0] empty([0]f64) }
entry zip_with [n][m] (a: [n]f64) (b: [m]f64) : (f64, [n]f64, [m]f64) =
  let (y, (a', b')) = vjp2 (\(a, b) -> sum (zipWith (\x y -> f64.sin x * f64.cos (x + y)) a b)) (a, b) 1
  in (y, a', b')

-- Folds that start from 1, from 3, which is not neutral, from 0, which is not either; and from nothing.
-- ==
-- entry: folds
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] }
-- output { [11.3115234375, 3.25, 10.45, 11.3115234375, 3.25]
--          [[9.04921875, -5.02734375, 15.08203125, 3.48046875, -15.08203125, 5.1416015625], [0.0, 0.0, 0.0, 1.0, 0.0, 0.0],
--           [1.0, -1.0, 1.0, 1.0, -1.0, 1.0], [9.04921875, -5.02734375, 15.08203125, 3.48046875, -15.08203125, 5.1416015625],
--           [0.0, 0.0, 0.0, 1.0, 0.0, 0.0]] }
entry folds [n] (a: [n]f64) : ([5]f64, [5][n]f64) =
  let f a = [ fold (*) 1 a, fold f64.max 3 a, fold (\x y -> f64.abs x + f64.abs y) 0 a, fold1 (*) a, fold1 f64.max a ]
  in (f a, mjp f a (tabulate_2d 5 5 (\i j -> f64.bool (i == j))))

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

-- ==
-- entry: replicates
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] }
-- output { [6.900625, 1656.15, 1656.15]
--          [[0.875, -0.875, 0.625, 1.875, -0.125, 1.35], [210.0, -210.0, 150.0, 450.0, -30.0, 324.0],
--           [210.0, -210.0, 150.0, 450.0, -30.0, 324.0]] }
entry replicates [n] (a: [n]f64) : ([3]f64, [3][n]f64) =
  let square x = x * x + x
  let two = map (map square)
  let f a = [ fold1All_2d (+) (map (map (/ 20)) (replicate_na 5 (map square a)))
            , fold1All_4d (+) (map (map (map (map (* 2)))) (replicate_anan 5 3 (two (replicate_an 2 a))))
            , fold1All_4d (+) (map (map (map (map (* 2)))) (replicate_nana 5 3 (two (replicate_an 2 a)))) ]
  in (f a, mjp f a (tabulate_2d 3 3 (\i j -> f64.bool (i == j))))

-- ==
-- entry: replicate_1
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] }
-- output { -189291275.0244141 [-235562475.5859375, 235562475.5859375, -360554809.5703125, -102782592.7734375, -504776733.3984375, -145195012.0925903] }
entry replicate_1 [n] (a: [n]f64) : (f64, [n]f64) =
  vjp2 (\a -> product (sum_2d (map (map (* 2)) (replicate_an 5 (map (\x -> x * x + x) a))))) a 1

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

-- ==
-- entry: slices
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] }
-- output { [4.45, 3.7] [[1.0, 1.0, 1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0, 2.0, 1.0]] }
entry slices [n] (a: [n]f64) : ([2]f64, [2][n]f64) =
  let m = n / 4 + 3
  let f a = [ sum (slice_nna 2 1 (replicate_nna m m a))
            , sum (slice_nna (7 % n) (3 % n) (backpermute_1_3 n n (n + 1) (\i j k -> (i + j + k) % n) a)) ]
  in (f a, mjp f a [[1, 0], [0, 1]])

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

-- ==
-- entry: gathers
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] }
-- output { [38.1, 22.25]  [[8.0, 8.0, 8.0, 9.0, 9.0, 8.0], [5.0, 5.0, 5.0, 5.0, 5.0, 5.0]] }
entry gathers [n] (a: [n]f64) : ([2]f64, [2][n]f64) =
  let m = 5
  let f a = let b = backpermute_1_2 m (2 * m) (\i j -> (i + j) % n) a
            let c = sum_2d b
            let d = backpermute_1_3 2 3 m (\_ i j -> i64.min (m - 1) (i * j)) c
            in [fold1All_2d (+) b, fold1All_2d (+) (slice_aan 2 (map (map (map (/ 2))) d))]
  in (f a, mjp f a [[1, 0], [0, 1]])

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

-- ==
-- entry: generates
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] }
-- output { [1.25, 2.9, 292.75, 8.9, 42.0]
--          [[1.0, 0.0, 1.0, 0.0, 1.0, 0.0], [8.0, 8.0, 2.0, 2.0, 2.0, 2.0], [2.0, 2.0, 1.0, 0.0, 0.0, 0.0], [2.0, 2.0, 2.0, 2.0, 2.0, 2.0],
--           [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]] }
entry generates [n] (a: [n]f64) : ([5]f64, [5][n]f64) =
  let f (a: [n]f64) = [ sum (generate (n / 2) (\i -> a[2 * i]))
            , sum (generate (2 * n) (\i -> a[i / 2] + a[i64.min (i % 2) (n - 1)]))
            , sum (generate (2 * n) (\i -> if i < 5 then a[i / 2] else 42))
            , sum (generate (2 * n) (\i -> if i < n then a[i] else a[i - n]))
            , sum (generate 1 (\_ -> 42)) ]
  in (f a, mjp f a (tabulate_2d 5 5 (\i j -> f64.bool (i == j))))

-- ==
-- entry: indices_of_results
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] }
-- output { [12.0625, -18.635] [[2.45, 1.25, 1.25, 6.5, 1.25, 1.25], [-1.6, 13.2, -6.0, -6.0, 11.8, 12.4]] }
entry indices_of_results [n] (a: [n]f64) : ([2]f64, [2][n]f64) =
  let near x = i64.abs (i64.f64 (f64.round x)) % n
  let f (a: [n]f64) = let b = fold_2d f64.max (-20) (backpermute_1_2 n n (\i j -> i & j) a)
            let c = sum_2d (backpermute_1_2 n n (\i j -> i64.min (i ^ j) (n - 1)) a)
            in [sum (map (\x -> x * b[near x]) a), sum (map (\x -> x * a[near x]) c)]
  in (f a, mjp f a [[1, 0], [0, 1]])

-- ==
-- entry: log_sum_exp
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] }
-- output { 3.7135833390311306
--          [0.08512935642431833, 0.002570683816440353, 0.0516335647129537, 0.6290255902851505, 0.011521005563435674, 0.22011979919770142] }
entry log_sum_exp [n] (a: [n]f64) : (f64, [n]f64) =
  let f a = let m = maximum a
            let s = zipWith (-) a (replicate_n n m)
            in f64.log (sum (map f64.exp s)) + m
  in vjp2 f a 1

-- ==
-- entry: reshapes
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] }
-- output { [-1.175, 4.45] [[4.7, 4.7, 4.7, -0.25, -0.25, -0.25], [1.0, 1.0, 1.0, 1.0, 1.0, 1.0]] }
entry reshapes [n] (a: [n]f64) : ([2]f64, [2][n]f64) =
  let f a = let b = reshape_1_2 2 (n / 2) a
            in [product (sum_2d b), sum (product_2d (reshape_2_2 n 1 b))]
  in (f a, mjp f a [[1, 0], [0, 1]])

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

-- A network of two hidden layers.
-- ==
-- entry: neural
-- input { 2i64 3i64 [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] [0.5, 1.25, 2.0, 1.75] }
-- output { 0.784187389002559 [0.0012082558595634613, 0.0012082558595634613, 0.0012082558595634613, 0.0012082558595634613, 0.0012082558595634613, 0.0012082558595634613]
--          [0.4745306195257739, 0.02208443463009808, 0.0, 0.007602848960208385] }
entry neural [n][m] (len1: i64) (len2: i64) (input: [n]f64) (weights: [m]f64) : (f64, [n]f64, [m]f64) =
  let pick i j seed = (i + j + j * j * seed) ** (1 + seed) % m
  let sigmoid x = 1 / (1 + f64.exp (-x))
  let mvmul [r][k] (m: [r][k]f64) (v: [k]f64) : [r]f64 = sum_2d (map2 (map2 (*)) m (replicate_na r v))
  let f (input, weights) =
    let w1 = backpermute_1_2 len1 n (\i j -> pick i j 1) weights
    let w2 = backpermute_1_2 len2 len1 (\i j -> pick i j 2) weights
    let w3 = backpermute len2 (\i -> pick 0 i 3) weights
    in sigmoid (sum (zipWith (*) w3 (map sigmoid (mvmul w2 (map sigmoid (mvmul w1 input))))))
  let (y, (input', weights')) = vjp2 f (input, weights) 1
  in (y, input', weights')
