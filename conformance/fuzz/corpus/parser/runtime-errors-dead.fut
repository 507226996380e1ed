-- A value that nothing needs: the reference fails, a pass may drop the value and its failure.
-- ==
-- input { [1.0, 2.0] 1i64 } output { 3.0 }
-- input { [1.0, 2.0] 2i64 } error: Index \[2\] out of bounds
entry main [n] (xs: [n]f64) (i: i64): f64 =
  let _unused = xs[i]
  in f64.sum xs

-- Dead and alive, in this order and in the other.
-- ==
-- entry: first_dead first_alive
-- input { [1.0, 2.0] 0i64 1i64 } output { 2.0 }
-- input { [1.0, 2.0] 2i64 1i64 } error: Index \[2\] out of bounds
-- input { [1.0, 2.0] 0i64 3i64 } error: Index \[3\] out of bounds
-- input { [1.0, 2.0] 2i64 3i64 } error: Index \[.\] out of bounds
entry first_dead [n] (xs: [n]f64) (i: i64) (j: i64): f64 =
  let _unused = xs[i]
  in xs[j]

entry first_alive [n] (xs: [n]f64) (i: i64) (j: i64): f64 =
  let x = xs[j]
  let _unused = xs[i]
  in x

-- One of two results of a map, and of a loop.
-- ==
-- entry: half
-- input { [1.0, 2.0] [0i64, 1i64] } output { [2.0, 4.0] }
-- input { [1.0, 2.0] [0i64, 2i64] } error: Index \[2\] out of bounds
entry half [n] (xs: [n]f64) (is: [n]i64): [n]f64 = (unzip (map2 (\x i -> (x * 2.0, xs[i])) xs is)).0

-- ==
-- entry: carried
-- input { [1.0, 2.0] 2i64 } output { 4.0 }
-- input { [1.0, 2.0] 3i64 } error: Index \[2\] out of bounds
entry carried [n] (xs: [n]f64) (k: i64): f64 =
  let (a, _b) = loop (a, b) = (1.0, 0.0) for i < k do (a * 2.0, b + xs[i])
  in a
