-- O11 (digest 001, 5.3): adjoints that many threads add to the same element: runs differ by no more than another order of the sum may make
-- of it. (The harness runs each program with other orders.) By hand: of n contributions of 1/3 to each of three elements n/9; or of whole
-- numbers.
-- ==
-- entry: thirds
-- input { [1.0, 2.0, 4.0] 2700i64 } output { 2100.0 [300.0, 300.0, 300.0] }
-- input { [1.0, 2.0, 4.0] 0i64 } output { 0.0 [0.0, 0.0, 0.0] }
entry thirds (xs: [3]f64) (n: i64) : (f64, [3]f64) =
  vjp2 (\xs -> f64.sum (map (\i -> xs[i % 3] / 3) (iota n))) xs 1

-- Whole numbers have the same sum in any order: 1 + 2 + 3 + 4 for each fourth, 250 times.
-- ==
-- entry: whole
-- input { [1.0f32, 2.0f32] [0i64, 1i64, 1i64, 0i64] 1000i64 } output { [1250.0f32, 1250.0f32] }
entry whole [m] [k] (xs: [m]f32) (is: [k]i64) (n: i64) : [m]f32 =
  vjp (\xs ->
         f32.sum (map (\i -> f32.i64 (1 + i % 4) * xs[is[i % k]]) (iota n)))
      xs
      1
