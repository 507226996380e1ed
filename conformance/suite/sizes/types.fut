-- Types with sizes and parameters (language reference, "Type Expressions", "Size types"). By hand; the same in 0.25.32.

type vec [n] = [n]f64
type matrix [n] [m] = [n](vec [m])
type pair 'a 'b = {first: a, second: b}
type^ endo 'a = a -> a
type~ some_of 'a = []a

-- ==
-- entry: abbreviated
-- input { [[1.0, 2.0], [3.0, 4.0]] } output { [3.0, 7.0] 2i64 }
-- input { empty([0][2]f64) } output { empty([0]f64) 0i64 }
entry abbreviated [n][m] (a: matrix [n] [m]) : (vec [n], i64) = (map f64.sum a, length a)

def twice 'a (f: endo a) : endo a = \x -> f (f x)
def swap 'a 'b (p: pair a b) : pair b a = {first = p.second, second = p.first}
-- ==
-- entry: parameters
-- input { 3 true } output { 12 true 3 }
entry parameters (x: i32) (y: bool) : (i32, bool, i32) =
  let q = swap {first = x, second = y} in (twice (* 2) x, q.first, q.second)

def positive (xs: []i32) : some_of i32 = filter (> 0) xs
def evens [n] (xs: [n]i32) : ?[k].[k]i32 = filter (\x -> x % 2 == 0) xs
def both (xs: []i32) : ?[k].([k]i32, [k]i32) = let ys = positive xs in (ys, map (* 10) ys)
-- ==
-- entry: unknown
-- input { [1, -2, 4] } output { [1, 4] [-2, 4] [11, 44] }
-- input { [-1, -3] } output { empty([0]i32) empty([0]i32) empty([0]i32) }
-- input { empty([0]i32) } output { empty([0]i32) empty([0]i32) empty([0]i32) }
entry unknown (xs: []i32) : ([]i32, []i32, []i32) =
  let (a, b) = both xs in (positive xs, evens xs, map2 (+) a b)

-- A size that `let` binds is one of those of the array.
-- ==
-- entry: bound
-- input { [1, -2, 4] } output { 2i64 [1i64, 1i64] }
-- input { empty([0]i32) } output { 0i64 empty([0]i64) }
entry bound (xs: []i32) : (i64, []i64) =
  let [k] (ys: [k]i32) = positive xs in (k, map (\_ -> k - 1) ys)

-- Sizes that are expressions: of parameters, of constants, of calls.
def padded [n] (xs: [n]i32) (k: i64) : [n + k]i32 = xs ++ replicate k 0
def double (n: i64) : i64 = 2 * n
def doubled [n] (xs: [n]i32) : [double n]i32 = tabulate (double n) (\i -> xs[i / 2])
-- ==
-- entry: computed
-- input { [1, 2] 3i64 } output { [1, 2, 0, 0, 0] [1, 1, 2, 2] 6i64 }
-- input { empty([0]i32) 0i64 } output { empty([0]i32) empty([0]i32) 0i64 }
entry computed [n] (xs: [n]i32) (k: i64) : ([]i32, []i32, i64) =
  (padded xs k, doubled xs, length (flatten (replicate k xs)))

-- Functions that take and give arrays whose sizes depend on an argument.
def all_of (f: (n: i64) -> [n]i64) (k: i64) : i64 = i64.sum (f k)
-- ==
-- entry: dependent
-- input { 4i64 } output { 6i64 16i64 }
-- input { 0i64 } output { 0i64 0i64 }
entry dependent (k: i64) : (i64, i64) = (all_of iota k, all_of (\n -> replicate n n) k)

-- A sum type of arrays of one size.
type either [n] = #left ([n]i32) | #right ([n]f64)
def length_of [n] (_: either [n]) : i64 = n
-- ==
-- entry: in_sums
-- input { true [1, 2] } output { 2i64 3 }
-- input { false [1, 2] } output { 2i64 6 }
entry in_sums [n] (c: bool) (xs: [n]i32) : (i64, i32) =
  let e : either [n] = if c then #left xs else #right (map (\x -> 2 * f64.i32 x) xs)
  in (length_of e, match e case #left ys -> i32.sum ys case #right ys -> i32.f64 (f64.sum ys))
