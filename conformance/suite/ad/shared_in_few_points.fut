-- Adjoints of what all points of a nest read, where few points have much inside: in loops, branches and both. Outputs of Futhark 0.25.32, where no other source is told.

def range (m: i64): [m]f64 = map f64.i64 (map (+ 1) (iota m))

-- ==
-- entry: in_rounds
-- input { 6i64 }
-- output { [12.000000000000000f64, 24.000000000000000f64, 36.000000000000000f64, 48.000000000000000f64, 60.000000000000000f64, 72.000000000000000f64] }
-- input { 0i64 }
-- output { empty([0]f64) }
entry in_rounds (m: i64): []f64 =
  vjp (\(w: [m]f64) -> f64.sum (map (\b -> f64.sum (loop (x: [m]f64) = replicate m (f64.i64 b) for _i < 2 do map2 (*) w x)) (iota 4))) (range m) 1

-- ==
-- entry: in_own_rounds
-- input { 6i64 }
-- output { [14.000000000000000f64, 45.000000000000000f64, 94.000000000000000f64, 161.000000000000000f64, 246.000000000000000f64, 349.000000000000000f64] }
-- input { 0i64 }
-- output { empty([0]f64) }
entry in_own_rounds (m: i64): []f64 =
  vjp (\(w: [m]f64) -> f64.sum (map (\b -> f64.sum (loop (x: [m]f64) = replicate m (f64.i64 b) for _i < b do map2 (*) w x)) (iota 4))) (range m) 1

-- ==
-- entry: on_a_side
-- input { 6i64 }
-- output { [18.000000000000000f64, 30.000000000000000f64, 42.000000000000000f64, 54.000000000000000f64, 66.000000000000000f64, 78.000000000000000f64] }
-- input { 0i64 }
-- output { empty([0]f64) }
entry on_a_side (m: i64): []f64 =
  vjp (\v -> f64.sum (map (\k -> if k % 2 == 0 then f64.sum (map (\x -> x * x * f64.i64 k) v) else f64.sum v * 3) (iota 5))) (range m) 1

-- ==
-- entry: on_sides_in_own_rounds
-- input { 6i64 }
-- output { [20.000000000000000f64, 18.000000000000000f64, 16.000000000000000f64, 14.000000000000000f64, 12.000000000000000f64, 10.000000000000000f64] }
entry on_sides_in_own_rounds (m: i64): []f64 =
  vjp (\(w: [m]f64) -> f64.sum (map (\b -> f64.sum (loop (x: [m]f64) = replicate m (f64.i64 b) for i < b do
                                                     if (i + b) % 2 == 0 then map2 (*) w x else map2 (+) x (reverse w))) (iota 4))) (range m) 1

-- ==
-- entry: of_own_sizes
-- input { 6i64 }
-- output { [10.000000000000000f64, 9.000000000000000f64, 8.000000000000000f64, 7.000000000000000f64, 0.000000000000000f64, 0.000000000000000f64] }
entry of_own_sizes (m: i64): []f64 =
  vjp (\(w: [m]f64) -> f64.sum (map (\b -> let ys = loop ys = replicate (b + 1) w[b] for i < b do scatter ys (iota b) (map (\j -> w[j] * ys[b] + f64.i64 i) (iota b))
                                          in f64.sum ys) (iota 4))) (range m) 1

-- Each x, and three times the first: 1 each, and 3 * 3 more for the first.
-- ==
-- entry: in_arrays_that_grow
-- input { [1.5, 2.0, -0.5] }
-- output { [10.0, 1.0, 1.0] }
entry in_arrays_that_grow [m] (xs: [m]f64): [m]f64 =
  vjp (\xs -> f64.sum (map (\x -> f64.sum (loop ys = [x] while length ys < 4 do ys ++ [xs[0]])) xs)) xs 1
