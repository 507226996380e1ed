-- R5: a loop in a map, a map in a loop, loops in loops, several variables, no iterations. These are functions for the harness to differentiate;
-- the values are checked here.

-- x := x y, four times in all: 2 * 1.5^4.
-- ==
-- entry: loop_in_loop
-- input { 2.0 1.5 2i64 } output { 10.125 }
-- input { 2.0 1.5 0i64 } output { 2.0 }
entry loop_in_loop (x: f64) (y: f64) (n: i64): f64 =
  loop x for _i < n do loop x for _j < 2 do x * y

-- ==
-- entry: loop_in_map
-- input { [1.0, 2.0, 3.0] 0.5 } output { [1.0, 1.0, 0.75] }
entry loop_in_map [n] (xs: [n]f64) (a: f64): [n]f64 =
  map2 (\x i -> loop x for _j < i do x * a) xs (iota n)

-- ==
-- entry: map_in_loop
-- input { [1.0, 2.0, 3.0] 2i64 } output { [4.0, 8.0, 12.0] }
-- input { [1.0, 2.0, 3.0] 0i64 } output { [1.0, 2.0, 3.0] }
entry map_in_loop [n] (xs: [n]f64) (k: i64): [n]f64 =
  loop xs for _i < k do map2 (\x y -> x + 0.5 * y * (x / y) + 0.5 * x) xs xs

-- ==
-- entry: two_variables
-- input { 1.0 2.0 3i64 } output { 5.0 8.0 }
entry two_variables (a: f64) (b: f64) (n: i64): (f64, f64) =
  loop (a, b) = (a, b) for _i < n do (b, a + b)
