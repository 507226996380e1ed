-- Futhark #2229 (references.md A1): nested derivatives of ** confused the perturbations of the inner and the outer variable.
-- The inner derivative of y^x at y = 2 is x 2^(x-1); times x: x^2 2^(x-1), 36 at 3. The outer one is
-- 2 x 2^(x-1) + x^2 2^(x-1) log 2 = 24 + 36 log 2 = 48.95329850015803.
-- ==
-- entry: forward reverse mixed other
-- input { 3.0 } output { 48.95329850015803 }
entry forward (x: f64): f64 = jvp (\x -> x * jvp (\y -> y ** x) 2.0 1.0) x 1.0

entry reverse (x: f64): f64 = vjp (\x -> x * vjp (\y -> y ** x) 2.0 1.0) x 1.0

entry mixed (x: f64): f64 = jvp (\x -> x * vjp (\y -> y ** x) 2.0 1.0) x 1.0

entry other (x: f64): f64 = vjp (\x -> x * jvp (\y -> y ** x) 2.0 1.0) x 1.0

-- The inner derivative is taken at the outer variable: of y^2 x at y = x it is 2 x^2, and of that 4 x.
-- ==
-- entry: same_point
-- input { 3.0 } output { 12.0 12.0 12.0 12.0 }
entry same_point (x: f64): (f64, f64, f64, f64) =
  (jvp (\x -> jvp (\y -> y ** 2.0 * x) x 1.0) x 1.0, vjp (\x -> vjp (\y -> y ** 2.0 * x) x 1.0) x 1.0,
   jvp (\x -> vjp (\y -> y ** 2.0 * x) x 1.0) x 1.0, vjp (\x -> jvp (\y -> y ** 2.0 * x) x 1.0) x 1.0)
