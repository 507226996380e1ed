-- A function with a derivative of its own says what that is with respect to its argument. A derivative with respect to a free variable of the function would be
-- silently lost (as it is in Futhark, issue #1868; futhark-compat.md §7): it is an error, in the mode that has a rule. By hand.

-- x y by y, at x = 3: the rule is about x
-- ==
-- entry: reverse reverse_tape forward
-- input { 3.0 2.0 } error: derivative is taken with respect to a free variable
entry reverse (x: f64) (y: f64) =
  vjp (\y -> with_vjp (\x -> x * y) (\_r r' -> r' * y) x) y 1

entry reverse_tape (x: f64) (y: f64) =
  vjp (\y -> with_vjp_tape (\x -> (y, x * y)) (\(y, r') -> r' * y) x) y 1

entry forward (x: f64) (y: f64) =
  jvp (\y -> with_jvp (\x -> x * y) (\_x x' -> x' * y) x) y 1

-- by both of them, too, and in a map and a loop
-- ==
-- entry: both inside
-- input { 3.0 2.0 } error: derivative is taken with respect to a free variable
entry both (x: f64) (y: f64) =
  vjp (\(x, y) -> with_vjp (\x -> x * y) (\_r r' -> r' * y) x) (x, y) 1

entry inside (x: f64) (y: f64) =
  vjp (\y ->
         f64.sum (map (\c ->
                         loop z = c for _i < 2 do
                           with_vjp (\z -> z * y) (\_r r' -> r' * y) z)
                      [x, 1]))
      y
      1

-- Without a rule for the mode the function itself is differentiated: x = 3 by y, forwards.
-- ==
-- entry: other_mode
-- input { 3.0 2.0 } output { 3.0 }
entry other_mode (x: f64) (y: f64) =
  jvp (\y -> with_vjp (\x -> x * y) (\_r r' -> r' * y) x) y 1

-- A free variable that is a constant is one: ten times y, as the rule says. What only the rule reads is no operand of the function: x^2 does not depend on y. The
-- rule's own derivative with respect to y is that of its code: d/dy (10 y) = 10.
-- ==
-- entry: constant
-- input { 3.0 2.0 } output { 20.0 }
entry constant (x: f64) (y: f64) =
  vjp (\x -> with_vjp (\x -> x * y) (\_r r' -> 10 * r' * y) x) x 1
-- ==
-- entry: of_rule
-- input { 3.0 2.0 } output { 0.0 }
entry of_rule (x: f64) (y: f64) =
  vjp (\y -> with_vjp (\x -> x * x) (\_r r' -> r' * y) x) y 1
-- ==
-- entry: second
-- input { 3.0 2.0 } output { 10.0 }
entry second (x: f64) (y: f64) =
  vjp (\y -> vjp (\x -> with_vjp (\x -> x * y) (\_r r' -> 10 * r' * y) x) x 1)
      y
      1
