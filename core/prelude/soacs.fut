-- Arrays, and the functions that work on all their elements.

-- | The number of elements.
def length [n] 't (_: [n]t) : i64 = n

-- | Is it empty?
def null [n] 't (_: [n]t) : bool = n == 0

-- | 0, 1, …, n-1
def iota (n: i64) : [n]i64 = intrinsics.iota n

-- | The indices of an array.
def indices [n] 't (_: [n]t) : [n]i64 = iota n

-- | n times the same value.
def replicate 't (n: i64) (x: t) : [n]t = intrinsics.replicate n x

-- | As often as the context asks for.
def rep 't [n] (x: t) : [n]t = intrinsics.replicate n x

-- | A copy that shares nothing with its argument.
def copy 't (x: t) : t = intrinsics.copy x

def zip [n] 'a 'b (as: [n]a) (bs: [n]b) : [n](a, b) = intrinsics.zip as bs
def zip2 [n] 'a 'b (as: [n]a) (bs: [n]b) : [n](a, b) = zip as bs
def unzip [n] 'a 'b (abs: [n](a, b)) : ([n]a, [n]b) = intrinsics.unzip abs
def unzip2 [n] 'a 'b (abs: [n](a, b)) : ([n]a, [n]b) = unzip abs

-- | Applies a function to each element.
def map [n] 'a 'x (f: a -> x) (as: [n]a) : [n]x = intrinsics.map f as
def map1 [n] 'a 'x (f: a -> x) (as: [n]a) : [n]x = map f as
def map2 [n] 'a 'b 'x (f: a -> b -> x) (as: [n]a) (bs: [n]b) : [n]x =
  map (\(a, b) -> f a b) (zip as bs)
def map3 [n] 'a 'b 'c 'x (f: a -> b -> c -> x) (as: [n]a) (bs: [n]b) (cs: [n]c) : [n]x =
  map (\(a, (b, c)) -> f a b c) (zip as (zip bs cs))
def map4 [n] 'a 'b 'c 'd 'x (f: a -> b -> c -> d -> x) (as: [n]a) (bs: [n]b) (cs: [n]c) (ds: [n]d) : [n]x =
  map (\(a, (b, (c, d))) -> f a b c d) (zip as (zip bs (zip cs ds)))
def map5 [n] 'a 'b 'c 'd 'e 'x (f: a -> b -> c -> d -> e -> x)
         (as: [n]a) (bs: [n]b) (cs: [n]c) (ds: [n]d) (es: [n]e) : [n]x =
  map (\(a, (b, (c, (d, e)))) -> f a b c d e) (zip as (zip bs (zip cs (zip ds es))))

def zip3 [n] 'a 'b 'c (as: [n]a) (bs: [n]b) (cs: [n]c) : [n](a, b, c) =
  map3 (\a b c -> (a, b, c)) as bs cs
def unzip3 [n] 'a 'b 'c (xs: [n](a, b, c)) : ([n]a, [n]b, [n]c) =
  (map (\x -> x.0) xs, map (\x -> x.1) xs, map (\x -> x.2) xs)

-- | `ne op a0 op a1 …`; `op` must be associative and `ne` neutral.
def reduce [n] 'a (op: a -> a -> a) (ne: a) (as: [n]a) : a = intrinsics.reduce op ne as

-- | `reduce` for an operator that is commutative too.
def reduce_comm [n] 'a (op: a -> a -> a) (ne: a) (as: [n]a) : a = intrinsics.reduce_comm op ne as

-- | All prefixes: element i is the reduction of the elements up to and including the i-th.
def scan [n] 'a (op: a -> a -> a) (ne: a) (as: [n]a) : [n]a = intrinsics.scan op ne as

-- | The array of `f 0`, `f 1`, …, `f (n-1)`.
def tabulate 'a (n: i64) (f: i64 -> a) : [n]a = map f (iota n)
def tabulate_2d 'a (n: i64) (m: i64) (f: i64 -> i64 -> a) : [n][m]a =
  map (\i -> map (f i) (iota m)) (iota n)
def tabulate_3d 'a (n: i64) (m: i64) (o: i64) (f: i64 -> i64 -> i64 -> a) : [n][m][o]a =
  map (\i -> map (\j -> map (f i j) (iota o)) (iota m)) (iota n)

-- | Rows become columns.
def transpose [n][m] 't (as: [n][m]t) : [m][n]t = intrinsics.transpose as

-- | The rows, one behind the other.
def flatten [n][m] 't (as: [n][m]t) : [n*m]t = intrinsics.flatten as

-- | Cuts an array into rows.
def unflatten [n][m] 't (as: [n*m]t) : [n][m]t = intrinsics.unflatten as

def head [n] 't (as: [n]t) : t = as[0]
def last [n] 't (as: [n]t) : t = as[n-1]

-- | Backwards.
def reverse [n] 't (as: [n]t) : [n]t = intrinsics.reverse as

def (++) [n][m] 't (as: [n]t) (bs: [m]t) : [n+m]t = intrinsics.concat as bs
def concat [n][m] 't (as: [n]t) (bs: [m]t) : [n+m]t = as ++ bs

-- | The first `i` elements.
def take [n] 't (i: i64) (as: [n]t) : [i]t = map (\j -> as[j]) (iota i)

-- | All but the first `i` elements.
def drop [n] 't (i: i64) (as: [n]t) : [n-i]t = map (\j -> as[i+j]) (iota (n-i))

-- | Moves each element `r` places to the left, around the end.
def rotate [n] 't (r: i64) (as: [n]t) : [n]t = map (\i -> as[(i+r) % n]) (iota n)

-- | From the left, one element after the other.
def foldl [n] 'a 'b (f: a -> b -> a) (acc: a) (bs: [n]b) : a = loop a = acc for b in bs do f a b

-- | From the right, one element after the other.
def foldr [n] 'a 'b (f: b -> a -> a) (acc: a) (bs: [n]b) : a = foldl (\a b -> f b a) acc (reverse bs)

def and [n] (xs: [n]bool) : bool = reduce_comm (\x y -> intrinsics.and_bool x y) true xs
def or [n] (xs: [n]bool) : bool = reduce_comm (\x y -> intrinsics.or_bool x y) false xs

-- | Does the predicate hold for all elements?
def all [n] 'a (p: a -> bool) (as: [n]a) : bool = and (map p as)

-- | Does the predicate hold for some element?
def any [n] 'a (p: a -> bool) (as: [n]a) : bool = or (map p as)
