-- Arrays: new ones, parts, and the same elements in another order or shape.

-- | The number of elements.
def length [n] 't (_: [n]t) : i64 = n

-- | Is it empty?
def null [n] 't (_: [n]t) : bool = n == 0

-- | The first element.
def head [n] 't (x: [n]t) : t = x[0]

-- | The last element.
def last [n] 't (x: [n]t) : t = x[n-1]

-- | All but the first element.
def tail [n] 't (x: [n]t) : [n-1]t = intrinsics.drop 1 x

-- | All but the last element.
def init [n] 't (x: [n]t) : [n-1]t = intrinsics.take (n-1) x

-- | The first `i` elements.
def take [n] 't (i: i64) (x: [n]t) : [i]t = intrinsics.take i x

-- | All but the first `i` elements.
def drop [n] 't (i: i64) (x: [n]t) : [n-i]t = intrinsics.drop i x

-- | The same array, whose size is `n`: that is checked.
def sized [m] 't (n: i64) (xs: [m]t) : [n]t = xs :> [n]t

-- | Two parts, as long as the context says.
def split [n][m] 't (xs: [n+m]t) : ([n]t, [m]t) = (intrinsics.take n xs, intrinsics.drop n xs :> [m]t)

-- | Backwards.
def reverse [n] 't (x: [n]t) : [n]t = intrinsics.reverse x

-- | The elements of one array after those of the other.
def (++) [n][m] 't (xs: [n]t) (ys: [m]t) : *[n+m]t = intrinsics.concat xs ys

-- | `++`
def concat [n][m] 't (xs: [n]t) (ys: [m]t) : *[n+m]t = xs ++ ys

-- | 0, 1, …, n-1
def iota (n: i64) : *[n]i64 = intrinsics.iota n

-- | The indices of an array.
def indices [n] 't (_: [n]t) : *[n]i64 = iota n

-- | Moves each element `r` places to the left, around the end.
def rotate [n] 't (r: i64) (x: [n]t) : *[n]t = intrinsics.rotate r x

-- | `n` times the same value.
def replicate 't (n: i64) (x: t) : *[n]t = intrinsics.replicate n x

-- | `replicate`, as often as the context says.
def rep 't [n] (x: t) : *[n]t = intrinsics.replicate n x

-- | A copy that shares nothing with its argument.
def copy 't (x: t) : *t = intrinsics.copy x

-- | A copy, laid out row by row in memory.
def manifest 't (x: t) : *t = intrinsics.manifest x

-- | The rows, one behind the other.
def flatten [n][m] 't (xs: [n][m]t) : [n*m]t = intrinsics.flatten xs
def flatten_3d [n][m][l] 't (xs: [n][m][l]t) : [n*m*l]t = flatten (flatten xs)
def flatten_4d [n][m][l][k] 't (xs: [n][m][l][k]t) : [n*m*l*k]t = flatten (flatten_3d xs)

-- | Cuts an array into rows, as many as the context says.
def unflatten 't [n][m] (xs: [n*m]t) : [n][m]t = intrinsics.unflatten xs
def unflatten_3d 't [n][m][l] (xs: [n*m*l]t) : [n][m][l]t = unflatten (unflatten xs)
def unflatten_4d 't [n][m][l][k] (xs: [n*m*l*k]t) : [n][m][l][k]t = unflatten (unflatten_3d xs)

-- | Rows become columns.
def transpose [n][m] 't (xs: [n][m]t) : [m][n]t = intrinsics.transpose xs

-- | Are all of them true?
def and [n] (xs: [n]bool) : bool = all (\x -> x) xs

-- | Is one of them true?
def or [n] (xs: [n]bool) : bool = any (\x -> x) xs

-- | From the left, one element after the other.
def foldl [n] 'a 'b (f: a -> b -> a) (acc: a) (bs: [n]b) : a = loop a = acc for b in bs do f a b

-- | From the right, one element after the other.
def foldr [n] 'a 'b (f: b -> a -> a) (acc: a) (bs: [n]b) : a = foldl (\a b -> f b a) acc (reverse bs)

-- | The array of `f 0`, `f 1`, …, `f (n-1)`; the next two, of two and three dimensions.
def tabulate 'a (n: i64) (f: i64 -> a) : *[n]a = map f (iota n)
def tabulate_2d 'a (n: i64) (m: i64) (f: i64 -> i64 -> a) : *[n][m]a =
  let (is, js) = (iota n, iota m)
  in map (\i -> map (f i) js) is
def tabulate_3d 'a (n: i64) (m: i64) (o: i64) (f: i64 -> i64 -> i64 -> a) : *[n][m][o]a =
  let (is, js, ks) = (iota n, iota m, iota o)
  in map (\i -> map (\j -> map (f i j) ks) js) is
