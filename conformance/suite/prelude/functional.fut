-- Combining functions. Expected values: `futhark run` of 0.25.32.
-- ==
-- entry: pipes
-- input { 5 }
-- output { 12 12 12 11 }
entry pipes (x: i32) : (i32, i32, i32, i32) =
  let f = (+ 1)
  let g = (* 2)
  in (x |> f |> g, g <| f <| x, (f >-> g) x, (f <-< g) x)

-- ==
-- entry: arguments
-- input { 5 3 }
-- output { -2 2 2 5 5 false }
entry arguments (x: i32) (y: i32) : (i32, i32, i32, i32, i32, bool) =
  ( flip (-) x y, curry (\(a, b) -> a - b) x y, uncurry (-) (x, y), const x y, id x, not (x > y))

-- Functions that return functions.
-- ==
-- entry: lifted
-- input { 5 3 }
-- output { 8 15 50 }
entry lifted (x: i32) (y: i32) : (i32, i32, i32) =
  let f = const (+ y) 'a'
  let g = id (\a b -> a * b)
  in (f x, g x y, (flip g >-> (\h -> h 10)) x)

-- ==
-- entry: values
-- input { 7 -2.75 }
-- output { 7.0f32 7.0 2 -2 -2 }
-- input { -7 1e10 }
-- output { -7.0f32 -7.0 2 -2 0 }
-- input { 0 f64.nan }
-- output { 0.0f32 0.0 2 -2 0 }
entry values (n: i32) (x: f64) : (f32, f64, i32, i32, i32) =
  (r32 n, r64 n, t32 2.75, t32 (-2.75), if x < 1e9 then t64 x else 0)

-- ==
-- entry: same
-- input { 7 [1.5, 2.5] }
-- output { 7 [1.5, 2.5] 7 [1.5, 2.5] 7 }
entry same [n] (x: i32) (xs: [n]f64) : (i32, [n]f64, i32, [n]f64, i32) =
  (opaque x, opaque xs, trace x, trace xs, break x)
