-- B1, B2, B4, B5, B6, B8 (digest 000, table 5.B): statements, branches and loops, maps, integers, by hand but for B1.

-- B1, its literal vector: |x y| + 2 x^2 at (3, -2) is 24, its gradient (14, -3).
-- ==
-- entry: figure
-- input { 3.0 -2.0 }
-- output { 24.0 14.0 -3.0 14.0 -3.0 }
entry figure (x: f64) (y: f64): (f64, f64, f64, f64, f64) =
  let f (x, y) = f64.abs (x * y) + 2.0 * x * x
  let (z, (a, b)) = vjp2 f (x, y) 1.0
  in (z, a, b, jvp f (x, y) (1.0, 0.0), jvp f (x, y) (0.0, 1.0))

-- B2: twice x in y, twice y; the array is not used, and its adjoint zeros of its shape. x^4: 4 x^3.
-- ==
-- entry: unused
-- input { 2.0 [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] }
-- output { 32.0 [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]] }
entry unused [n] [m] (x: f64) (xs: [n][m]f64): (f64, [n][m]f64) = vjp (\(x, _xs: [n][m]f64) -> let y = x * x in y * y) (x, xs) 1.0

-- B4: an array through a loop with a branch: [a, b] -> [a a, b a] twice is [a^4, b a^3]; with 1 and 10 4 a^3 + 10 * 3 a^2 b, 10 a^3. Else
-- 9 [a, b].
-- ==
-- entry: branch_loop
-- input { true [2.0, 3.0] }  output { [392.0, 80.0] }
-- input { false [2.0, 3.0] } output { [9.0, 90.0] }
entry branch_loop (b: bool) (xs: [2]f64): [2]f64 =
  vjp (\xs -> loop xs for _i < 2i64 do if b then map (* xs[0]) xs else map (3.0 *) xs) xs [1.0, 10.0]

-- B5: a x y[i]: a y, the sum of x y, and of a x by place.
-- ==
-- entry: map_free
-- input { [1.0, 2.0, 3.0] 2.0 [5.0, 7.0] [0i64, 0i64, 1i64] [1.0, 10.0, 100.0] }
-- output { [10.0, 100.0, 1400.0] 2205.0 [42.0, 600.0] }
entry map_free [n] [m] (xs: [n]f64) (a: f64) (ys: [m]f64) (is: [n]i64) (seed: [n]f64): ([n]f64, f64, [m]f64) =
  vjp (\(xs, a, ys) -> map2 (\x i -> a * x * ys[i]) xs is) (xs, a, ys) seed

-- B6: a x^2, or x where it is negative, three maps deep: 2 a x, or 1; the sum of the squares by a.
-- ==
-- entry: nest
-- input { [[[1.0, -2.0], [3.0, 4.0]]] 5.0 }
-- output { [[[10.0, 1.0], [30.0, 40.0]]] 26.0 }
entry nest [n] [m] [k] (xs: [n][m][k]f64) (a: f64): ([n][m][k]f64, f64) =
  vjp (\(xs, a) -> map (map (map (\x -> if x >= 0.0 then a * x * x else x))) xs) (xs, a) (replicate n (replicate m (replicate k 1.0)))

-- B8: the Jacobian of (x y, x + y^2) of integers, and integers that are indices.
-- ==
-- entry: integers
-- input { 3i32 5i32 } output { 5i32 3i32 1i32 10i32 }
entry integers (x: i32) (y: i32): (i32, i32, i32, i32) =
  let f (x, y) = (x * y, x + y * y)
  let (a, b) = vjp f (x, y) (1, 0)
  let (c, d) = vjp f (x, y) (0, 1)
  in (a, b, c, d)

-- ==
-- entry: indices
-- input { [5.0, 6.0, 7.0] [2i64, 0i64] [1.0, 10.0] }
-- output { [10.0, 0.0, 1.0] [0i64, 0i64] }
entry indices [n] [m] (xs: [n]f64) (is: [m]i64) (seed: [m]f64): ([n]f64, [m]i64) = vjp (\(xs, is) -> map (\i -> xs[i]) is) (xs, is) seed
