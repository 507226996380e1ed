-- A function that calls itself with other sizes (language reference, "Recursive functions"): each call has its own. By hand.
-- 0.25.32 knows no recursive functions.
-- ==
-- entry: total
-- input { [1, 2, 3] } output { 6 }
-- input { empty([0]i32) } output { 0 }

-- ==
-- entry: turned
-- input { 4i64 [1, 2, 3] [5, 6] } output { 3i64 2i64 }
-- input { 3i64 [1, 2, 3] [5, 6] } output { 2i64 3i64 }
def sum_of [n] (xs: [n]i32) : i32 = if n == 0 then 0 else xs[0] + sum_of xs[1:]
entry total (xs: []i32) : i32 = sum_of xs

def lengths 't [n] [m] (k: i64) (xs: [n]t) (ys: [m]t) : (i64, i64) =
  if k == 0 then (n, m) else lengths (k - 1) ys xs
entry turned (k: i64) (xs: []i32) (ys: []i32) : (i64, i64) = lengths k xs ys

-- A size parameter of the function's own name hides it (language reference, "Size parameters": in the scope of the parameters it is a variable of type i64).
-- ==
-- entry: named_as_its_size
-- input { [4i32, 5i32, 6i32] } output { 6i64 }
entry named_as_its_size [named_as_its_size] (_xs: [named_as_its_size]i32) = 2 * named_as_its_size
