-- A7: the inner derivative is 1 whatever x is, so the outer function is x -> x. Taking the inner perturbation for the outer gives 2.
-- ==
-- entry: forward reverse mixed other
-- input { 1.0 } output { 1.0 }
entry forward (x: f64): f64 = jvp (\x -> x * jvp (\y -> x + y) 1.0 1.0) x 1.0

entry reverse (x: f64): f64 = vjp (\x -> x * vjp (\y -> x + y) 1.0 1.0) x 1.0

entry mixed (x: f64): f64 = jvp (\x -> x * vjp (\y -> x + y) 1.0 1.0) x 1.0

entry other (x: f64): f64 = vjp (\x -> x * jvp (\y -> x + y) 1.0 1.0) x 1.0

-- d/dx of x (d/dy x y) = x^2: 2 x.
-- ==
-- entry: product
-- input { 3.0 } output { 6.0 }
entry product (x: f64): f64 = vjp (\x -> x * jvp (\y -> x * y) 2.0 1.0) x 1.0
