-- A float divided by zero written out in the program: 0/0 is not a number, the others are infinite, with the sign of the zero.
-- ==
-- no_derivative input { [0.0, 1.0, -2.0] }
-- output { [f64.nan, f64.inf, -f64.inf] [f64.nan, -f64.inf, f64.inf] }
-- ==
-- entry: single
-- no_derivative input { [0.0f32, 1.0f32, -2.0f32] }
-- output { [f32.nan, f32.inf, -f32.inf] }

entry main [n] (xs: [n]f64) : ([n]f64, [n]f64) = (map (\x -> x / 0.0) xs, map (\x -> x / -0.0) xs)

entry single [n] (xs: [n]f32) : [n]f32 = map (\x -> x / 0) xs
