-- The parts of an expression that is a size: sizes in it are as good as names, each for itself. The type checker of 0.25.32 accepts all of it; results by hand.
def area [n] [m] (x: [n ** m]i32) (_: [n]i32) (_: [m]i32) = length x

-- ==
-- entry: one_name_twice
-- input { [1, 2, 3] } output { 27i64 }
entry one_name_twice [k] (xs: [k]i32) = area (replicate (k ** k) 1) xs xs

-- ==
-- entry: number
-- input { [1, 2] [1, 2, 3] } output { 8i64 }
entry number [k] (xs: [2]i32) (ys: [k]i32) = area (replicate (2 ** k) 1) xs ys

-- ==
-- entry: expressions
-- input { 5i64 [1, 2] [1, 2] } output { 4i64 }
-- input { 4i64 [1] [1, 2] } output { 1i64 }
entry expressions (k: i64) (xs: [k % 3]i32) (ys: [2]i32) = area (replicate ((k % 3) ** 2) 1) xs ys

-- ==
-- entry: sums
-- input { [1, 2] [1, 2, 3] } output { 8i64 }
entry sums [k] (xs: [k]i32) (ys: [k + 1]i32) = area (replicate (k ** (k + 1)) 1) xs ys

def half (n: i64) = n / 2
def halved [n] (x: [half (n % 3)]i32) (_: [n]bool) = length x
-- ==
-- entry: condition
-- input { 5i64 [true, true, true, true, true] } output { 1i64 }
-- input { 1i64 [true, true, true] } output { 0i64 }
entry condition (k: i64) (xs: [if k > 3 then k else 3]bool) =
  halved (replicate (half ((if k > 3 then k else 3) % 3)) 1) xs

def total (xs: []i64) = reduce (+) 0 xs
-- ==
-- entry: array
-- input { 4i64 [1, 2, 3, 4, 5, 6, 7] } output { 7i64 }
-- input { 1i64 [1, 2, 3, 4, 5, 6, 7] } error: cannot match shape
entry array (k: i64) (xs: [total [1, 2, k]]i32) = length xs

-- 1 + 2, 3 + 2, and every second of five: 1 + 0 + 4.
-- ==
-- entry: slices
-- input { [9i64, 1i64, 2i64] [1, 2, 3] [4i64, 2i64, 3i64] [1, 2, 3, 4, 5] [1i64, 9i64, 0i64, 9i64, 4i64] [1, 2, 3, 4, 5] } output { 13i64 }
entry slices (as: [3]i64) (xs: [total as[1:]]i32) (bs: [3]i64) (ys: [total bs[2:0:-1]]i32) (cs: [5]i64) (zs: [total cs[::2]]i32) =
  length xs + length ys + length zs

-- 1 + 2, 1 + 3, 0 + 1, 3 + 2.
-- ==
-- entry: ranges
-- input { 2i64 [1, 2, 3] [1, 2, 3, 4] [1] [1, 2, 3, 4, 5] } output { 13i64 }
entry ranges (k: i64) (as: [total (1...k)]i32) (bs: [total (1..3...4)]i32) (cs: [total (0..<k)]i32) (ds: [total (3..>1)]i32) =
  length as + length bs + length cs + length ds

-- ==
-- entry: updated
-- input { 2i64 [0i64, 1i64, 1i64] [7, 8, 9, 10] [1, 2] } output { 6i64 }
entry updated (k: i64) (ks: [3]i64) (xs: [total (copy ks with [0] = k)]i32) (ys: [({a = 1i64, b = k} with a = k).a]i32) =
  length xs + length ys

type answer = #known i64 | #unknown
def weight (x: answer) : i64 = match x case #known n -> n case #unknown -> 1
-- ==
-- entry: constructors
-- input { 3i64 [1, 2, 3] [1] } output { 4i64 }
entry constructors (k: i64) (xs: [weight (#known k)]i32) (ys: [weight #unknown]i32) = length xs + length ys

def at (f: i64 -> i64) (n: i64) = f n
-- ==
-- entry: section
-- input { 1i64 [1, 2, 3] } output { 3i64 }
entry section (n: i64) (xs: [at (2 +) n]i32) = length xs
