-- A14, A15, A16 (digest 001, 5.2; 2.4): sums, folds with any start, maxima. Expected: the digest's golden values for its inputs a and -a,
-- and by hand where they are said to be so. Each entry point gives the value, the gradient in reverse mode, and the same from forward mode.

def both [n] (f: [n]f64 -> f64) (a: [n]f64) : (f64, [n]f64, [n]f64) =
  let unit i = map (\j -> f64.bool (i == j)) (iota n)
  let (y, gradient) = vjp2 f a 1
  in (y, gradient, map (jvp f a) (map unit (iota n)))

-- A14, replicate_2: all elements of five copies, divided by 20.
-- ==
-- entry: sum_of_copies
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] }
-- output { 6.900625 [0.875, -0.875, 0.625, 1.875, -0.125, 1.35] [0.875, -0.875, 0.625, 1.875, -0.125, 1.35] }
-- input { empty([0]f64) } output { 0.0 empty([0]f64) empty([0]f64) }
entry sum_of_copies [n] (a: [n]f64) =
  both (\a ->
          f64.sum (flatten (map (map (/ 20))
                                (replicate 5 (map (\x -> x * x + x) a)))))
       a

-- A14, sums of rows: the adjoint of each element is its row's. By hand; no element, and no row.
-- ==
-- entry: sums_of_rows
-- input { [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]] [1.0, 10.0, 100.0] } output { [3.0, 7.0, 11.0] [[1.0, 1.0], [10.0, 10.0], [100.0, 100.0]] }
-- input { empty([3][0]f64) [1.0, 10.0, 100.0] } output { [0.0, 0.0, 0.0] empty([3][0]f64) }
-- input { empty([0][3]f64) empty([0]f64) } output { empty([0]f64) empty([0][3]f64) }
entry sums_of_rows [n] [m]
                   (xss: [n][m]f64)
                   (seed: [n]f64) : ([n]f64, [n][m]f64) =
  vjp2 (map f64.sum) xss seed

-- A15, fold_1, and with zeros.
-- ==
-- entry: product
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] }
-- output { 11.31152 [9.04922, -5.02734, 15.082, 3.48047, -15.082, 5.1416] [9.04922, -5.02734, 15.082, 3.48047, -15.082, 5.1416] }
-- input { [2.0, 0.0, 3.0] } output { 0.0 [0.0, 6.0, 0.0] [0.0, 6.0, 0.0] }
-- input { [2.0, 0.0, 0.0, 3.0] } output { 0.0 [0.0, 0.0, 0.0, 0.0] [0.0, 0.0, 0.0, 0.0] }
entry product [n] (a: [n]f64) = both (foldl (*) 1) a

-- A15, fold_2: a start that is not neutral, and may win.
-- ==
-- entry: largest_or_3
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 3.25 [0.0, 0.0, 0.0, 1.0, 0.0, 0.0] [0.0, 0.0, 0.0, 1.0, 0.0, 0.0] }
-- input { [-1.25, 2.25, -0.75, -3.25, 0.75, -2.2] } output { 3.0 [0.0, 0.0, 0.0, 0.0, 0.0, 0.0] [0.0, 0.0, 0.0, 0.0, 0.0, 0.0] }
-- input { [1.0, 2.0, 2.5] } output { 3.0 [0.0, 0.0, 0.0] [0.0, 0.0, 0.0] }
entry largest_or_3 [n] (a: [n]f64) = both (foldl f64.max 3) a

-- A15, fold_3: no operator with a neutral element.
-- ==
-- entry: magnitudes
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 10.45 [1.0, -1.0, 1.0, 1.0, -1.0, 1.0] [1.0, -1.0, 1.0, 1.0, -1.0, 1.0] }
entry magnitudes [n] (a: [n]f64) =
  let magnitude v = if v < 0 then -v else v
  in both (foldl (\x y -> magnitude x + magnitude y) 0) a

-- A15: products of rows; by hand 6 at the zero, and 10 times the products of the others.
-- ==
-- entry: products_of_rows
-- input { [[2.0, 0.0, 3.0], [1.0, 2.0, 3.0]] [1.0, 10.0] } output { [0.0, 6.0] [[0.0, 6.0, 0.0], [60.0, 30.0, 20.0]] }
entry products_of_rows [n] [m]
                       (xss: [n][m]f64)
                       (seed: [n]f64) : ([n]f64, [n][m]f64) =
  vjp2 (map (foldl (*) 1)) xss seed

-- A16, fold1_1 and fold1_2: folds that start with the first element.
-- ==
-- entry: product_from_first
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] }
-- output { 11.31152 [9.04922, -5.02734, 15.082, 3.48047, -15.082, 5.1416] [9.04922, -5.02734, 15.082, 3.48047, -15.082, 5.1416] }
-- input { [5.0] } output { 5.0 [1.0] [1.0] }
entry product_from_first [n] (a: [n]f64) =
  both (\a -> foldl (*) a[0] (drop 1 a)) a

-- ==
-- entry: largest
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 3.25 [0.0, 0.0, 0.0, 1.0, 0.0, 0.0] [0.0, 0.0, 0.0, 1.0, 0.0, 0.0] }
entry largest [n] (a: [n]f64) = both (\a -> foldl f64.max a[0] (drop 1 a)) a

-- A16, ties: of equal elements the first is the largest, in each of these forms. (The digest's source takes the last; the first is decided
-- in shared/spec/futhark-compat.md, 2.3.) The elements are integers: at a kink there is no numerical derivative.
-- ==
-- entry: ties_reduce ties_maximum ties_fold ties_rows
-- input { [2i64, 2i64, 1i64] } output { 2.0 [1.0, 0.0, 0.0] [1.0, 0.0, 0.0] }
-- input { [1i64, 2i64, 2i64] } output { 2.0 [0.0, 1.0, 0.0] [0.0, 1.0, 0.0] }
-- input { [3i64, 3i64, 3i64] } output { 3.0 [1.0, 0.0, 0.0] [1.0, 0.0, 0.0] }
entry ties_reduce [n] (a: [n]i64) = both (reduce f64.max (-9)) (map f64.i64 a)

entry ties_maximum [n] (a: [n]i64) = both f64.maximum (map f64.i64 a)

entry ties_fold [n] (a: [n]i64) =
  both (\a -> foldl f64.max a[0] (drop 1 a)) (map f64.i64 a)

entry ties_rows [n] (a: [n]i64) =
  both (\a -> (map f64.maximum (replicate 1 a))[0]) (map f64.i64 a)
