-- Sizes that are expressions (language reference, "Size Types"): they are computed where no value shows them, whatever the types in them are there,
-- in their function and where it is called. By hand; 0.25.32 accepts the same.
-- ==
-- entry: coerced
-- input { [1, 2] [1i64, 2i64, 3i64, 4i64] } output { [1i64, 2i64, 3i64, 4i64] }
-- input { [1, 2] [1i64, 2i64, 3i64] } error: .

-- ==
-- entry: summed
-- input { [1, 2] [1i64, 2i64, 3i64, 4i64] } output { 8i64 }

-- ==
-- entry: added
-- input { [1, 2] } output { [0i64, 2i64, 4i64, 6i64] }

-- ==
-- entry: chosen
-- input { true [1, 2] } output { [0i64, 1i64, 2i64, 3i64] }
-- input { false [1, 2] } output { [1i64, 2i64, 3i64, 4i64] }

-- ==
-- entry: repeated
-- input { 2i64 [1, 2] } output { [2i64, 3i64, 4i64, 5i64] }

-- ==
-- entry: rows
-- input { 2i64 [1, 2] } output { 2i64 4i64 }
-- input { 0i64 [1, 2] } output { 0i64 4i64 }

-- ==
-- entry: no_rows
-- input { [1, 2] } output { 0i64 4i64 }

-- ==
-- entry: of_call
-- input { [1, 2] [true] } output { 0i64 6i64 }

-- ==
-- entry: of_two
-- input { [1, 2] [true] } output { 0i64 21i64 }

-- ==
-- entry: of_parts
-- input { [1, 2] } output { 0i64 5i64 }
def size_of 't [n] (_: [n]t) : i64 = n * 2

def as_size 't [n] [m] (xs: [n]t) (ys: [m]i64) = ys :> [size_of xs]i64
entry coerced (xs: []i32) (ys: []i64) : []i64 = as_size xs ys

def twos x y =
  let z = iota (size_of x)
  let w = y :> [size_of x]i64
  in i64.sum (map2 (\_ _ -> 2) z w)
entry summed (xs: []i32) (ys: []i64) : i64 = twos xs ys

def sums x = let z = iota (size_of x) let w = iota (size_of x) in map2 (+) z w
entry added (xs: []i32) : []i64 = sums xs

def either c x = if c then iota (size_of x) else map (+ 1) (iota (size_of x))
entry chosen (c: bool) (xs: []i32) : []i64 = either c xs

def steps (k: i64) x = loop z = iota (size_of x) for _i < k do map2 (+) (replicate (size_of x) 1) z
entry repeated (k: i64) (xs: []i32) : []i64 = steps k xs

def copies k x =
  let f = \(y: i64) -> replicate (size_of x) y
  let r = map f (iota k)
  in (length r, length (transpose r))
entry rows (k: i64) (xs: []i32) : (i64, i64) = copies k xs

def none x = let m = map (\_ -> iota (size_of x)) (take 0 x) in (length m, length (transpose m))
entry no_rows (xs: []i32) : (i64, i64) = none xs

-- Where a function is called, its sizes stand for those of the arguments.
def times [n] (k: i64) (_: [n]i32) : i64 = n * k
def indices (k: i64) x = iota (times (k + 1) x)
entry of_call (xs: []i32) (ys: []bool) : (i64, i64) =
  let m = map (\_ -> indices 2 xs) (take 0 ys)
  in (length m, length (transpose m))

def both [n] [m] (_: [n]i32) (_: [m]bool) : i64 = n * 10 + m
def places x y = iota (both x y)
entry of_two (xs: []i32) (ys: []bool) : (i64, i64) =
  let m = map (\_ -> places xs ys) (take 0 ys)
  in (length m, length (transpose m))

def parts x = iota (times 2 x + 1)
entry of_parts (xs: []i32) : (i64, i64) =
  let m = map (\_ -> parts xs) (take 0 xs)
  in (length m, length (transpose m))
