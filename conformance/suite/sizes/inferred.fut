-- Sizes that nobody writes. A parameter without a type may get an expression as its size; a name for a size stands for it outside of its scope;
-- functions in a pair depend on their own arguments. By hand; the same in 0.25.32.
def last_of [n] (xs: [n + 1]i32) : i32 = xs[n]
def last_too xs = last_of xs + 1
-- ==
-- entry: parameter
-- input { 3 } output { 4 }
entry parameter (x: i32) : i32 = last_too ([1, 2] ++ [x])

def one_more (n: i64) : [n + 1]i64 = let m = n + 1 in iota m
-- ==
-- entry: named
-- input { 2i64 } output { [0i64, 1i64, 2i64] }
entry named (n: i64) : []i64 = one_more n

-- ==
-- entry: in_pair
-- input { 2i64 } output { [3i64, 4i64, 5i64] }
entry in_pair (n: i64) : []i64 =
  let (f, k) = (let k = n + 1 in (\(m: i64) -> iota m, k))
  let ys : [k]i64 = f k
  in map (+ 3) ys
