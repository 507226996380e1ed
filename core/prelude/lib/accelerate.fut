-- The combinators of Accelerate (Chakravarty et al. 2011), as van den Haak et al. differentiate them: programs written for it can be written down as they stand.
-- What differs from the prelude: a fold starts from any value, which is used once, on the left; scans give one element more than they get; arrays are combined up
-- to the shorter one; functions of indices make, gather and scatter arrays of all ranks.
--
-- A language without types of shapes has a function for each rank. `fold_2d` works on the inner dimension of two. `backpermute_1_2` goes from one dimension
-- to two. In `replicate_na` and `slice_an` there is a letter for each dimension of the larger array: `a` for all of it, which is there before and after, `n` for the
-- number that is given.

-- An associative operator on values that may be missing: a missing value is neutral, whatever stands for it.
local def perhaps 'a (f: a -> a -> a) (x_there: bool, x: a) (y_there: bool, y: a) : (bool, a) =
  if !x_there then (y_there, y) else if !y_there then (true, x) else (true, f x y)

-- The reduction of what is there, if anything is; `x` stands for it otherwise.
local def reduce_perhaps [n] 'a (f: a -> a -> a) (x: a) (xs: [n]a) : (bool, a) =
  reduce (perhaps f) (false, x) (map (\x -> (true, x)) xs)

-- | `[f 0, f 1, …]`, and the same for more dimensions.
def generate 'a (n: i64) (f: i64 -> a) : *[n]a = tabulate n f
def generate_2d 'a (n: i64) (m: i64) (f: i64 -> i64 -> a) : *[n][m]a = tabulate_2d n m f
def generate_3d 'a (n: i64) (m: i64) (l: i64) (f: i64 -> i64 -> i64 -> a) : *[n][m][l]a = tabulate_3d n m l f
def generate_4d 'a (n: i64) (m: i64) (l: i64) (k: i64) (f: i64 -> i64 -> i64 -> i64 -> a) : *[n][m][l][k]a =
  map (\i -> tabulate_3d m l k (f i)) (iota n)

-- | Combines two arrays as far as both go.
def zipWith [n][m] 'a 'b 'c (f: a -> b -> c) (xs: [n]a) (ys: [m]b) : []c =
  let k = i64.min n m
  in map2 f (take k xs) (take k ys)
def zipWith_2d [n][m][k][l] 'a 'b 'c (f: a -> b -> c) (xs: [n][m]a) (ys: [k][l]b) : [][]c =
  let (rows, columns) = (i64.min n k, i64.min m l)
  in map2 (\x y -> map2 f (take columns x) (take columns y)) (take rows xs) (take rows ys)
def zipWith3 [n][m][k] 'a 'b 'c 'd (f: a -> b -> c -> d) (xs: [n]a) (ys: [m]b) (zs: [k]c) : []d =
  let k = i64.min (i64.min n m) k
  in map3 f (take k xs) (take k ys) (take k zs)

-- | `z f x0 f x1 …`; `f` is associative, `z` any value.
def fold [n] 'a (f: a -> a -> a) (z: a) (xs: [n]a) : a =
  let (there, x) = reduce_perhaps f z xs
  in if there then f z x else z
def fold_2d [n][m] 'a (f: a -> a -> a) (z: a) (xs: [n][m]a) : [n]a = map (fold f z) xs
def fold_3d [n][m][l] 'a (f: a -> a -> a) (z: a) (xs: [n][m][l]a) : [n][m]a = map (fold_2d f z) xs

-- | `x0 f x1 …`, of at least one element.
def fold1 [n] 'a (f: a -> a -> a) (xs: [n]a) : a = (reduce_perhaps f (head xs) xs).1
def fold1_2d [n][m] 'a (f: a -> a -> a) (xs: [n][m]a) : [n]a = map (fold1 f) xs
def fold1_3d [n][m][l] 'a (f: a -> a -> a) (xs: [n][m][l]a) : [n][m]a = map (fold1_2d f) xs

-- | Folds of all elements.
def foldAll_2d [n][m] 'a (f: a -> a -> a) (z: a) (xs: [n][m]a) : a = fold f z (flatten xs)
def foldAll_3d [n][m][l] 'a (f: a -> a -> a) (z: a) (xs: [n][m][l]a) : a = fold f z (flatten_3d xs)
def foldAll_4d [n][m][l][k] 'a (f: a -> a -> a) (z: a) (xs: [n][m][l][k]a) : a = fold f z (flatten_4d xs)
def fold1All_2d [n][m] 'a (f: a -> a -> a) (xs: [n][m]a) : a = fold1 f (flatten xs)
def fold1All_3d [n][m][l] 'a (f: a -> a -> a) (xs: [n][m][l]a) : a = fold1 f (flatten_3d xs)
def fold1All_4d [n][m][l][k] 'a (f: a -> a -> a) (xs: [n][m][l][k]a) : a = fold1 f (flatten_4d xs)

-- | `[x0, x0 f x1, …]`
def scanl1 [n] 'a (f: a -> a -> a) (xs: [n]a) : [n]a =
  if n == 0 then xs else (unzip (scan (perhaps f) (false, head xs) (map (\x -> (true, x)) xs))).1

-- | `[z, z f x0, z f x0 f x1, …]`; `f` is associative, `z` any value.
def scanl [n] 'a (f: a -> a -> a) (z: a) (xs: [n]a) : [n+1]a = ([z] ++ map (f z) (scanl1 f xs)) :> [n+1]a

-- | `[…, x(n-2) f x(n-1), x(n-1)]`
def scanr1 [n] 'a (f: a -> a -> a) (xs: [n]a) : [n]a = reverse (scanl1 (flip f) (reverse xs))

-- | `[…, x(n-1) f z, z]`; `f` is associative, `z` any value.
def scanr [n] 'a (f: a -> a -> a) (z: a) (xs: [n]a) : [n+1]a = reverse (scanl (flip f) z (reverse xs))

-- | The array of `xs[f i]`.
def backpermute [n] 'a (m: i64) (f: i64 -> i64) (xs: [n]a) : *[m]a = generate m (\i -> xs[f i])
def backpermute_1_2 [n] 'a (m: i64) (l: i64) (f: i64 -> i64 -> i64) (xs: [n]a) : *[m][l]a =
  generate_2d m l (\i j -> xs[f i j])
def backpermute_1_3 [n] 'a (m: i64) (l: i64) (k: i64) (f: i64 -> i64 -> i64 -> i64) (xs: [n]a) : *[m][l][k]a =
  generate_3d m l k (\i j o -> xs[f i j o])
def backpermute_2_1 [n][o] 'a (m: i64) (f: i64 -> (i64, i64)) (xs: [n][o]a) : *[m]a =
  generate m (\i -> let (a, b) = f i in xs[a, b])
def backpermute_2_2 [n][o] 'a (m: i64) (l: i64) (f: i64 -> i64 -> (i64, i64)) (xs: [n][o]a) : *[m][l]a =
  generate_2d m l (\i j -> let (a, b) = f i j in xs[a, b])
def backpermute_2_3 [n][o] 'a (m: i64) (l: i64) (k: i64) (f: i64 -> i64 -> i64 -> (i64, i64)) (xs: [n][o]a) : *[m][l][k]a =
  generate_3d m l k (\i j o -> let (a, b) = f i j o in xs[a, b])
def backpermute_3_1 [n][o][p] 'a (m: i64) (f: i64 -> (i64, i64, i64)) (xs: [n][o][p]a) : *[m]a =
  generate m (\i -> let (a, b, c) = f i in xs[a, b, c])
def backpermute_3_2 [n][o][p] 'a (m: i64) (l: i64) (f: i64 -> i64 -> (i64, i64, i64)) (xs: [n][o][p]a) : *[m][l]a =
  generate_2d m l (\i j -> let (a, b, c) = f i j in xs[a, b, c])
def backpermute_3_3 [n][o][p] 'a (m: i64) (l: i64) (k: i64)
                    (f: i64 -> i64 -> i64 -> (i64, i64, i64)) (xs: [n][o][p]a) : *[m][l][k]a =
  generate_3d m l k (\i j o -> let (a, b, c) = f i j o in xs[a, b, c])

-- | The array `dest` where each `xs[i]` has been combined with what stands at the position that `f i` gives, if it gives one: its first component says so. `comb` is
-- associative and commutative. Positions out of range are ignored.
def permute [n][m] 'a (comb: a -> a -> a) (dest: [m]a) (f: i64 -> (bool, i64)) (xs: [n]a) : [m]a =
  if n == 0 then dest
  else let is = map (\i -> let (write, j) = f i in if write then j else -1) (iota n)
       in reduce_by_index (map (\x -> (true, x)) dest) (perhaps comb) (false, head xs) is (map (\x -> (true, x)) xs)
          |> map (.1)
def permute_1_2 [n][m][l] 'a (comb: a -> a -> a) (dest: [m][l]a) (f: i64 -> (bool, (i64, i64))) (xs: [n]a) : [m][l]a =
  if n == 0 then dest
  else let is = map (\i -> let (write, j) = f i in if write then j else (-1, -1)) (iota n)
       in reduce_by_index_2d (map (map (\x -> (true, x))) dest) (perhaps comb) (false, head xs) is (map (\x -> (true, x)) xs)
          |> map (map (.1))
def permute_2_1 [n][k][m] 'a (comb: a -> a -> a) (dest: [m]a) (f: i64 -> i64 -> (bool, i64)) (xs: [n][k]a) : [m]a =
  permute comb dest (\i -> f (i / k) (i % k)) (flatten xs)
def permute_2_2 [n][k][m][l] 'a (comb: a -> a -> a) (dest: [m][l]a) (f: i64 -> i64 -> (bool, (i64, i64))) (xs: [n][k]a) : [m][l]a =
  permute_1_2 comb dest (\i -> f (i / k) (i % k)) (flatten xs)

-- | An array again and again along new dimensions.
def replicate_n 'a (k: i64) (x: a) : *[k]a = replicate k x
def replicate_na [n] 'a (k: i64) (xs: [n]a) : *[k][n]a = replicate k xs
def replicate_an [n] 'a (k: i64) (xs: [n]a) : *[n][k]a = map (replicate k) xs
def replicate_nn 'a (k: i64) (l: i64) (x: a) : *[k][l]a = replicate k (replicate l x)
def replicate_nna [n] 'a (k: i64) (l: i64) (xs: [n]a) : *[k][l][n]a = replicate k (replicate l xs)
def replicate_nan [n] 'a (k: i64) (l: i64) (xs: [n]a) : *[k][n][l]a = replicate k (map (replicate l) xs)
def replicate_ann [n] 'a (k: i64) (l: i64) (xs: [n]a) : *[n][k][l]a = map (\x -> replicate k (replicate l x)) xs
def replicate_naa [n][m] 'a (k: i64) (xs: [n][m]a) : *[k][n][m]a = replicate k xs
def replicate_ana [n][m] 'a (k: i64) (xs: [n][m]a) : *[n][k][m]a = map (replicate k) xs
def replicate_aan [n][m] 'a (k: i64) (xs: [n][m]a) : *[n][m][k]a = map (map (replicate k)) xs
def replicate_anan [n][m] 'a (k: i64) (l: i64) (xs: [n][m]a) : *[n][k][m][l]a =
  map (\row -> replicate k (map (replicate l) row)) xs
def replicate_nana [n][m] 'a (k: i64) (l: i64) (xs: [n][m]a) : *[k][n][l][m]a = replicate k (map (replicate l) xs)
def replicate_nnn 'a (k: i64) (l: i64) (p: i64) (x: a) : *[k][l][p]a = replicate k (replicate l (replicate p x))
def replicate_naaa [n][m][o] 'a (k: i64) (xs: [n][m][o]a) : *[k][n][m][o]a = replicate k xs
def replicate_anaa [n][m][o] 'a (k: i64) (xs: [n][m][o]a) : *[n][k][m][o]a = map (replicate k) xs
def replicate_aana [n][m][o] 'a (k: i64) (xs: [n][m][o]a) : *[n][m][k][o]a = map (map (replicate k)) xs
def replicate_aaan [n][m][o] 'a (k: i64) (xs: [n][m][o]a) : *[n][m][o][k]a = map (map (map (replicate k))) xs
def replicate_naan [n][m] 'a (k: i64) (l: i64) (xs: [n][m]a) : *[k][n][m][l]a = replicate k (map (map (replicate l)) xs)
def replicate_anna [n][m] 'a (k: i64) (l: i64) (xs: [n][m]a) : *[n][k][l][m]a = map (\row -> replicate k (replicate l row)) xs
def replicate_nnaa [n][m] 'a (k: i64) (l: i64) (xs: [n][m]a) : *[k][l][n][m]a = replicate k (replicate l xs)
def replicate_aann [n][m] 'a (k: i64) (l: i64) (xs: [n][m]a) : *[n][m][k][l]a =
  map (map (\x -> replicate k (replicate l x))) xs
def replicate_nnna [n] 'a (k: i64) (l: i64) (p: i64) (xs: [n]a) : *[k][l][p][n]a = replicate k (replicate_nna l p xs)
def replicate_nnan [n] 'a (k: i64) (l: i64) (p: i64) (xs: [n]a) : *[k][l][n][p]a = replicate k (replicate_nan l p xs)
def replicate_nann [n] 'a (k: i64) (l: i64) (p: i64) (xs: [n]a) : *[k][n][l][p]a = replicate k (replicate_ann l p xs)
def replicate_annn [n] 'a (k: i64) (l: i64) (p: i64) (xs: [n]a) : *[n][k][l][p]a = map (replicate_nnn k l p) xs
def replicate_nnnn 'a (k: i64) (l: i64) (p: i64) (q: i64) (x: a) : *[k][l][p][q]a = replicate k (replicate_nnn l p q x)

-- | The part of an array at these indices of some of its dimensions.
def slice_n [n] 'a (i: i64) (xs: [n]a) : a = xs[i]
def slice_na [n][m] 'a (i: i64) (xs: [n][m]a) : [m]a = xs[i]
def slice_an [n][m] 'a (j: i64) (xs: [n][m]a) : [n]a = (transpose xs)[j]
def slice_nn [n][m] 'a (i: i64) (j: i64) (xs: [n][m]a) : a = xs[i, j]
def slice_naa [n][m][l] 'a (i: i64) (xs: [n][m][l]a) : [m][l]a = xs[i]
def slice_ana [n][m][l] 'a (j: i64) (xs: [n][m][l]a) : [n][l]a = slice_an j xs
def slice_aan [n][m][l] 'a (k: i64) (xs: [n][m][l]a) : [n][m]a = map (slice_an k) xs
def slice_nna [n][m][l] 'a (i: i64) (j: i64) (xs: [n][m][l]a) : [l]a = xs[i, j]
def slice_nan [n][m][l] 'a (i: i64) (k: i64) (xs: [n][m][l]a) : [m]a = slice_an k xs[i]
def slice_ann [n][m][l] 'a (j: i64) (k: i64) (xs: [n][m][l]a) : [n]a = slice_an k (slice_an j xs)
def slice_nnn [n][m][l] 'a (i: i64) (j: i64) (k: i64) (xs: [n][m][l]a) : a = xs[i, j, k]
def slice_naaa [n][m][l][o] 'a (i: i64) (xs: [n][m][l][o]a) : [m][l][o]a = xs[i]
def slice_anaa [n][m][l][o] 'a (j: i64) (xs: [n][m][l][o]a) : [n][l][o]a = slice_an j xs
def slice_aana [n][m][l][o] 'a (k: i64) (xs: [n][m][l][o]a) : [n][m][o]a = slice_aan k xs
def slice_aaan [n][m][l][o] 'a (p: i64) (xs: [n][m][l][o]a) : [n][m][l]a = map (slice_aan p) xs
def slice_nnaa [n][m][l][o] 'a (i: i64) (j: i64) (xs: [n][m][l][o]a) : [l][o]a = xs[i, j]
def slice_nana [n][m][l][o] 'a (i: i64) (k: i64) (xs: [n][m][l][o]a) : [m][o]a = slice_an k xs[i]
def slice_anan [n][m][l][o] 'a (j: i64) (k: i64) (xs: [n][m][l][o]a) : [n][l]a = slice_aan k (slice_an j xs)
def slice_naan [n][m][l][o] 'a (i: i64) (p: i64) (xs: [n][m][l][o]a) : [m][l]a = slice_aan p xs[i]
def slice_anna [n][m][l][o] 'a (j: i64) (k: i64) (xs: [n][m][l][o]a) : [n][o]a = slice_ann j k xs
def slice_aann [n][m][l][o] 'a (k: i64) (p: i64) (xs: [n][m][l][o]a) : [n][m]a = map (slice_ann k p) xs
def slice_nnna [n][m][l][o] 'a (i: i64) (j: i64) (k: i64) (xs: [n][m][l][o]a) : [o]a = xs[i, j, k]
def slice_nnan [n][m][l][o] 'a (i: i64) (j: i64) (p: i64) (xs: [n][m][l][o]a) : [l]a = slice_an p xs[i, j]
def slice_nann [n][m][l][o] 'a (i: i64) (k: i64) (p: i64) (xs: [n][m][l][o]a) : [m]a = slice_ann k p xs[i]
def slice_annn [n][m][l][o] 'a (j: i64) (k: i64) (p: i64) (xs: [n][m][l][o]a) : [n]a = slice_ann k p (slice_an j xs)
def slice_nnnn [n][m][l][o] 'a (i: i64) (j: i64) (k: i64) (p: i64) (xs: [n][m][l][o]a) : a = xs[i, j, k, p]

-- | Sums and products of the inner dimension, and the greatest there, or what `maximum` of the prelude says of nothing.
def sum [n] (xs: [n]f64) : f64 = f64.sum xs
def sum_2d [n][m] (xs: [n][m]f64) : [n]f64 = map f64.sum xs
def sum_3d [n][m][l] (xs: [n][m][l]f64) : [n][m]f64 = map sum_2d xs
def product [n] (xs: [n]f64) : f64 = f64.product xs
def product_2d [n][m] (xs: [n][m]f64) : [n]f64 = map f64.product xs
def maximum [n] (xs: [n]f64) : f64 = f64.maximum xs
def maximum_2d [n][m] (xs: [n][m]f64) : [n]f64 = map f64.maximum xs
def minimum [n] (xs: [n]f64) : f64 = f64.minimum xs
def minimum_2d [n][m] (xs: [n][m]f64) : [n]f64 = map f64.minimum xs

-- | The same elements in rows of another length: their number is checked.
def reshape_1_2 [n] 'a (m: i64) (l: i64) (xs: [n]a) : [m][l]a = unflatten (xs :> [m*l]a)
def reshape_2_1 [n][m] 'a (l: i64) (xs: [n][m]a) : [l]a = flatten xs :> [l]a
def reshape_2_2 [n][m] 'a (k: i64) (l: i64) (xs: [n][m]a) : [k][l]a = unflatten (flatten xs :> [k*l]a)
