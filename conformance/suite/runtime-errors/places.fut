-- Failures that passes might move, merge or lose. The column `errors` holds kind and place of each against the reference, in derivatives too.

def at [n] (xs: [n]f64) (i: i64): f64 = xs[i]

-- Through two functions, one of which is called twice: each call is a place of its own.
-- ==
-- entry: calls
-- input { [1.0, 2.0] 0i64 1i64 } output { 3.0 }
-- input { [1.0, 2.0] 0i64 2i64 } error: Index \[2\] out of bounds
-- input { [1.0, 2.0] 3i64 2i64 } error: Index \[3\] out of bounds
entry calls [n] (xs: [n]f64) (i: i64) (j: i64): f64 = at xs i + at xs j

-- The same check twice, of which one does for both.
-- ==
-- entry: twice
-- input { [1.0, 2.0] 1i64 } output { 4.0 }
-- input { [1.0, 2.0] 2i64 } error: Index \[2\] out of bounds
entry twice [n] (xs: [n]f64) (i: i64): f64 = xs[i] * xs[i]

-- Maps that become one: both fail, at different elements.
-- ==
-- entry: fused
-- input { [1.0, 2.0, 3.0] [0i64, 1i64, 2i64] [0i64, 1i64, 2i64] } output { [1.0, 4.0, 9.0] }
-- input { [1.0, 2.0, 3.0] [0i64, 3i64, 2i64] [0i64, 1i64, 2i64] } error: Index \[3\] out of bounds
-- input { [1.0, 2.0, 3.0] [0i64, 1i64, 2i64] [0i64, 4i64, 2i64] } error: Index \[4\] out of bounds
-- input { [1.0, 2.0, 3.0] [0i64, 1i64, 3i64] [4i64, 1i64, 2i64] } error: Index \[3\] out of bounds
entry fused [n] [m] (xs: [n]f64) (is: [m]i64) (js: [m]i64): [m]f64 =
  let ys = map (\i -> xs[i]) is
  in map2 (\y j -> y * xs[j]) ys js

-- Inside of a reduction's map, and of a nest.
-- ==
-- entry: summed
-- input { [1.0, 2.0, 3.0] [0i64, 1i64] } output { 5.0 }
-- input { [1.0, 2.0, 3.0] [0i64, -1i64] } error: Index \[-1\] out of bounds
entry summed [n] [m] (xs: [n]f64) (is: [m]i64): f64 = f64.sum (map (\i -> xs[i] * xs[i]) is)

-- ==
-- entry: nested
-- input { [[1.0, 2.0], [3.0, 4.0]] [0i64, 1i64] } output { [3.0, 7.0] }
-- input { [[1.0, 2.0], [3.0, 4.0]] [0i64, 2i64] } error: Index \[2\] out of bounds
entry nested [n] [m] [k] (xss: [n][m]f64) (is: [k]i64): [n]f64 = map (\xs -> f64.sum (map (\i -> xs[i]) is)) xss

-- In a loop: in the third round; in no round.
-- ==
-- entry: rounds
-- input { [1.0, 2.0] 2i64 } output { 3.0 }
-- input { [1.0, 2.0] 3i64 } error: Index \[2\] out of bounds
-- input { empty([0]f64) 0i64 } output { 0.0 }
entry rounds [n] (xs: [n]f64) (k: i64): f64 = loop s = 0.0 for i < k do s + xs[i]

-- In one branch only.
-- ==
-- entry: branch
-- input { [1.0, 2.0] 5i64 false } output { 1.0 }
-- input { [1.0, 2.0] 5i64 true } error: Index \[5\] out of bounds
entry branch [n] (xs: [n]f64) (i: i64) (b: bool): f64 = if b then xs[i] else xs[0]

-- A size that is checked, and a division.
-- ==
-- entry: sizes
-- input { [1.0, 2.0] 4i64 2i64 } output { [1.0, 2.0] }
-- input { [1.0, 2.0] 4i64 0i64 } error: [Dd]ivision by zero
-- input { [1.0, 2.0] 9i64 2i64 } error: cannot match shape of type
entry sizes [n] (xs: [n]f64) (a: i64) (b: i64): [n]f64 =
  let q = a / b
  let ys = xs :> [q]f64
  in ys :> [n]f64
