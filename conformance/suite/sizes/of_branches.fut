-- A size that is computed in one side of a branch only, also where a type asks for it again.

-- ==
-- entry: start
-- input { 0i64 3i64 }
-- output { 27i64 }
-- input { 2i64 3i64 }
-- output { 30i64 }
-- input { 4i64 7i64 }
-- output { 70i64 }
entry start (k: i64) (q: i64): i64 =
  let xs = map (* q) (iota 5)
  in i64.sum xs[(if k > 0 then xs[q % k] % 3 else 2):]

-- ==
-- entry: start_is_read
-- input { 0i64 }
-- output { 9i64 }
-- input { 1i64 }
-- output { 10i64 }
-- input { 4i64 }
-- output { 10i64 }
entry start_is_read (k: i64): i64 =
  let xs = iota 5
  in i64.sum xs[(if k > 0 then xs[k - 1] % 3 else 2):]

-- ==
-- entry: how_long
-- input { 0i64 3i64 }
-- output { 3i64 }
-- input { 2i64 3i64 }
-- output { 4i64 }
-- input { 4i64 7i64 }
-- output { 2i64 }
entry how_long (k: i64) (q: i64): i64 =
  let xs = map (* q) (iota 5)
  in length xs[(if k > 0 then q % k else 2):]

-- ==
-- entry: conditions
-- input { 0i64 3i64 }
-- output { 3i64 }
-- input { 2i64 3i64 }
-- output { 0i64 }
-- input { 4i64 7i64 }
-- output { 0i64 }
entry conditions (k: i64) (q: i64): i64 =
  let xs = map (* q) (iota 5)
  in i64.sum xs[:(if k != 0 && q / k > 1 then 3 else if k == 0 || q % k == 0 then 2 else 1)]

-- ==
-- entry: one_after_the_other
-- input { 0i64 3i64 }
-- output { 9i64 }
-- input { 3i64 3i64 }
-- output { 3i64 }
-- input { 2i64 3i64 }
-- output { 0i64 }
entry one_after_the_other (k: i64) (q: i64): i64 =
  let xs = map (* q) (iota 5)
  in i64.sum xs[:(if k == 0 then 3 else if q % k == 0 then 2 else 1)]

-- It is the same size, whether it is written or a parameter stands for a part of it.
def chosen (c: bool) (n: i64): [if c then n else 2]i64 = replicate (if c then n else 2) 1
def half (c: bool) (m: i64): [if c then m / 2 else 2]i64 = chosen c (m / 2)

-- ==
-- entry: one_size
-- input { true 9i64 }
-- output { 8i64 }
-- input { false 9i64 }
-- output { 4i64 }
entry one_size (c: bool) (m: i64): i64 = i64.sum (map2 (+) (half c m) (chosen c (m / 2)))

-- ==
-- entry: of_arguments
-- input { true 9i64 2i64 }
-- output { 16i64 }
-- input { false 9i64 3i64 }
-- output { 8i64 }
entry of_arguments (c: bool) (m: i64) (k: i64): i64 =
  i64.sum (map2 (+) (chosen c (m / k)) (replicate (if c then m / k else 2) 3))
