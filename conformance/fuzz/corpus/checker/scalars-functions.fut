-- Values of the functions at 1/2, to 17 digits: e^x, ln x, sqrt x, sin x, cos x, tan x, tanh x.
-- ==
-- input { 0.5 }
-- output { 1.6487212707001282 -0.6931471805599453 0.7071067811865476
--          0.479425538604203 0.8775825618903728 0.5463024898437905 0.46211715726000976 }
entry main (x: f64): (f64, f64, f64, f64, f64, f64, f64) =
  (f64.exp x, f64.log x, f64.sqrt x, f64.sin x, f64.cos x, f64.tan x, f64.tanh x)

-- ==
-- entry: single
-- input { 0.5f32 }
-- output { 1.6487213f32 -0.6931472f32 0.70710677f32 0.47942555f32 }
entry single (x: f32): (f32, f32, f32, f32) = (f32.exp x, f32.log x, f32.sqrt x, f32.sin x)
