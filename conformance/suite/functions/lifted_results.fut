-- Lifted type parameters stand for arrays whose sizes only a call tells: each result has its own.
-- Expected: by hand; 0.25.32 says the same.
-- ==
-- entry: once
-- input { 3i64 } output { [0i64, 1i64, 2i64] }
-- input { 0i64 } output { empty([0]i64) }

-- ==
-- entry: twice
-- input { 1i64 2i64 } output { [0i64, 1i64] [0i64] }

-- ==
-- entry: uncurried
-- input { 1i64 2i64 } output { [[true, true]] }

-- ==
-- entry: filtered
-- input { [3, -1, 2] } output { [3, 2] 2i64 }

-- ==
-- entry: in_sum
-- input { [3, -1, 2] } output { 2i64 }
-- input { empty([0]i32) } output { 0i64 }

-- ==
-- entry: in_record
-- input { 2i64 4i64 } output { 2i64 4i64 }

-- ==
-- entry: piped
-- input { 4i64 } output { 6i64 }

-- ==
-- entry: with_function
-- input { 2i64 } output { 5i64 }

-- ==
-- entry: in_branches
-- input { true 2i64 } output { 2i64 }
-- input { false 2i64 } output { 3i64 }

-- ==
-- entry: slices
-- input { [0i64, 1i64] [2i64, 3i64] [[5i64, 6i64], [7i64, 8i64]] } output { [16i64, 18i64] }

def apply 'a '^b (f: a -> b) (x: a) : b = f x

entry once (n: i64) : []i64 = apply iota n

def both '^a '^b (f: a -> b) (x: a) (y: a) : (b, b) =
  let fx = f x
  let fy = f y
  in (fy, fx)

entry twice (n: i64) (m: i64) : ([]i64, []i64) = both iota n m

def table (n: i64) (m: i64) (b: bool) = replicate n (replicate m b)
def table_of = uncurry table

entry uncurried (n: i64) (m: i64) : [][]bool = table_of (n, m) true

entry filtered (xs: []i32) : ([]i32, i64) =
  let ys = apply (filter (> 0)) xs
  in (ys, length ys)

type^ maybe '~a = #some a | #none

def map_maybe 'a '~b (f: a -> b) (x: maybe a) : maybe b =
  match x
  case #some a -> (#some (f a) : maybe b)
  case #none -> #none

entry in_sum (xs: []i32) : i64 =
  match map_maybe (filter (> 0)) (#some xs)
  case #some ys -> length ys
  case #none -> -1

def pair_of '^a '^b (f: a -> b) (x: a) (y: a) : {x: b, y: b} = {x = f x, y = f y}

entry in_record (n: i64) (m: i64) : (i64, i64) =
  let {x, y} = pair_of iota n m
  in (length x, length y)

entry piped (n: i64) : i64 = n |> apply iota |> i64.sum

def with_size (n: i64) : ([n]i64, [n]i64 -> i64) = (iota n, \xs -> n + 3 * i64.sum xs)

entry with_function (n: i64) : i64 =
  let (xs, f) = apply with_size n
  in f xs

entry in_branches (c: bool) (n: i64) : i64 =
  let xs = if c then apply iota n else apply iota (n + 1)
  in length xs

-- what is written to a slice has the sizes that it has
entry slices [n] (is: [n]i64) (js: [n]i64) (vss: [n][]i64) : [n]i64 =
  map3 (\i j vs -> i64.sum (copy (iota 4) with [i:j] = vs)) is js vss
