-- Derivatives of what the prelude is made of. Expected values by hand: each function moves or adds its arguments, so that the adjoint of an element is the sum of the
-- adjoints (given) of where it went.

-- Of [a, b, c, d] filter keeps those above 2, whose adjoints are 1, 2, … in order.
-- ==
-- entry: filtered
-- input { [1.0, 5.0, 2.0, 7.0] } output { [0.0, 1.0, 0.0, 2.0] }
-- input { empty([0]f64) } output { empty([0]f64) }
entry filtered [n] (xs: [n]f64) : [n]f64 =
  vjp (\xs -> let ys = filter (> 2) xs in f64.sum (map2 (\y i -> y * f64.i64 (i + 1)) ys (indices ys))) xs 1

-- 5 and 7 come first (adjoints 1, 2), then 1 and 2 (3, 4).
-- ==
-- entry: partitioned
-- input { [1.0, 5.0, 2.0, 7.0] } output { [3.0, 1.0, 4.0, 2.0] }
entry partitioned [n] (xs: [n]f64) : [n]f64 =
  let f xs = let (a, b) = partition (> 2) xs
             in f64.sum (map2 (\y i -> y * f64.i64 (i + 1)) (a ++ b) (indices (a ++ b)))
  in vjp f xs 1

-- Of the destination what was overwritten has no adjoint; of the values those out of range.
-- ==
-- entry: scattered
-- input { [1.0, 2.0, 3.0] [2i64, 5i64] [10.0, 20.0] [1.0, 2.0, 4.0] } output { [1.0, 2.0, 0.0] [4.0, 0.0] }
entry scattered [k][n] (dest: [k]f64) (is: [n]i64) (vs: [n]f64) (adj: [k]f64) : ([k]f64, [n]f64) =
  vjp (\(dest, vs) -> scatter (copy dest) is vs) (dest, vs) adj

-- Sums by index: each value has the adjoint of its bin.
-- ==
-- entry: summed
-- input { [1.0, 2.0, 3.0] [2i64, 0i64, 2i64, 3i64] [10.0, 20.0, 30.0, 40.0] [1.0, 2.0, 4.0] }
-- output { [1.0, 2.0, 4.0] [4.0, 1.0, 4.0, 0.0] }
entry summed [k][n] (dest: [k]f64) (is: [n]i64) (vs: [n]f64) (adj: [k]f64) : ([k]f64, [n]f64) =
  vjp (\(dest, vs) -> reduce_by_index (copy dest) (+) 0 is vs) (dest, vs) adj

-- Products by index: [5*2*3], so 6, 15, 10.
-- ==
-- entry: multiplied
-- input { 5.0 2.0 3.0 } output { [6.0] [15.0, 10.0] }
entry multiplied (x: f64) (y: f64) (z: f64) : ([1]f64, [2]f64) =
  vjp (\(dest, vs) -> reduce_by_index (copy dest) (*) 1 [0, 0] vs) ([x], [y, z]) [1]

-- take, drop, rotate, reverse, ++: [b, c] ++ reverse [a, b, c] ++ rotate 1 [a, b, c], adjoints 1 to 8.
-- a: 5 + 8; b: 1 + 4 + 6; c: 2 + 3 + 7.
-- ==
-- entry: moved
-- input { [10.0, 20.0, 30.0] } output { [13.0, 11.0, 12.0] }
entry moved (xs: [3]f64) : [3]f64 =
  vjp (\xs -> let ys = take 2 (drop 1 xs) ++ reverse xs ++ rotate 1 xs
              in f64.sum (map2 (\y i -> y * f64.i64 (i + 1)) ys (indices ys))) xs 1

-- flatten, unflatten, transpose: [[a, b], [c, d]] by columns, adjoints 1 to 4.
-- ==
-- entry: turned
-- input { [[10.0, 20.0], [30.0, 40.0]] } output { [[1.0, 3.0], [2.0, 4.0]] }
entry turned (xs: [2][2]f64) : [2][2]f64 =
  vjp (\xs -> let ys = flatten (transpose xs) in f64.sum (map2 (\y i -> y * f64.i64 (i + 1)) ys (indices ys))) xs 1

-- The sum before each of a, b, c, with adjoints 1, 2, 4: a: 2 + 4; b: 4.
-- ==
-- entry: prefixes
-- input { [10.0, 20.0, 30.0] [1.0, 2.0, 4.0] } output { [6.0, 4.0, 0.0] }
entry prefixes [n] (xs: [n]f64) (adj: [n]f64) : [n]f64 = vjp (exscan (+) 0) xs adj

-- opaque and manifest are their arguments; copies too.
-- ==
-- entry: same
-- input { [1.0, 2.0] [3.0, 4.0] } output { [3.0, 4.0] [3.0, 4.0] }
entry same [n] (xs: [n]f64) (adj: [n]f64) : ([n]f64, [n]f64) =
  let f xs = copy (manifest (opaque xs))
  in (vjp f xs adj, jvp f xs adj)

-- Chunks: x*x has the derivative 2x.
-- ==
-- entry: streamed
-- input { [1.0, 2.0, 3.0] } output { [2.0, 4.0, 6.0] [2.0, 4.0, 6.0] }
entry streamed [n] (xs: [n]f64) : ([n]f64, [n]f64) =
  ( vjp (stream_red (+) (\c (chunk: [c]f64) -> f64.sum (map (\x -> x * x) chunk))) xs 1
  , vjp (stream_map (\c (chunk: [c]f64) -> map (\x -> x * x) chunk)) xs (replicate n 1))

-- foldl and iterate: ((x*2 + a)*2 + b), so 4, 2, 1; 2*2*2.
-- ==
-- entry: folded
-- input { 1.0 [5.0, 6.0] } output { 4.0 [2.0, 1.0] 8.0 }
entry folded [n] (x: f64) (xs: [n]f64) : (f64, [n]f64, f64) =
  let (x', xs') = vjp (\(x, xs) -> foldl (\a b -> 2 * a + b) x xs) (x, xs) 1
  in (x', xs', vjp (iterate 3 (* 2)) x 1)

-- Views: [[x1, x2], [x3, x4]] of [x0, …, x5] with adjoints 1 to 4; an update hides what was there.
-- ==
-- entry: viewed
-- input { [0.0, 1.0, 2.0, 3.0, 4.0, 5.0] } output { [0.0, 1.0, 2.0, 3.0, 4.0, 0.0] [1.0, 0.0, 0.0, 0.0, 0.0, 1.0] }
entry viewed (xs: [6]f64) : ([6]f64, [6]f64) =
  ( vjp (\xs -> intrinsics.flat_index_2d xs 1 2 2 2 1 :> [2][2]f64) xs [[1, 2], [3, 4]]
  , vjp (\xs -> intrinsics.flat_update_2d (copy xs) 1 2 1 [[0, 0], [0, 0]]) xs (replicate 6 1))
