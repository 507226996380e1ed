-- The derivative of x**y is 0 by decree where x = 0 and y < 1, and with respect to y where x <= 0 (futhark-compat.md §2.2). In reverse over the code
-- of that derivative the branch that is not taken got an adjoint of zero, which behind x**(y-1) = inf or log 0 = -inf became NaN: a bug of our own. The
-- decreed function is 0 in a neighbourhood as far as its derivatives go.
-- ==
-- entry: base_then_exponent
-- input { 0.5 } output { 0.0 }
entry base_then_exponent (y: f64): f64 = vjp (\y -> jvp (\x -> x ** y) 0.0 1.0) y 1.0

-- ==
-- entry: exponent_then_base
-- input { 0.0 } output { 0.0 }
entry exponent_then_base (x: f64): f64 = vjp (\x -> vjp (\y -> x ** y) 2.0 1.0) x 1.0

-- ==
-- entry: exponent
-- input { 0.0 2.0 } output { 0.0 }
entry exponent (x: f64) (y: f64): f64 = jvp (\y -> x ** y) y 1.0
