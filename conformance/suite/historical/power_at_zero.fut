-- Futhark #2216 (references.md A1; the rule: futhark-compat.md §2.2): the derivatives of x**y at x = 0 were not numbers, from 0 * inf and log 0.
-- By the base: y x^(y-1), and 0 at x = 0 for y < 1. By the exponent: x^y log x, and 0 for x <= 0. 8 log 2 = 5.545177444479562.
-- (Futhark 0.25.32 still has infinities at the kinks, and no number for the second derivative.)

-- 3 * 0^2 = 0; 2 * 3.
-- ==
-- entry: base_forward base_reverse
-- input { 0.0 3.0 } output { 0.0 }
-- input { 3.0 2.0 } output { 6.0 }
entry base_forward (x: f64) (y: f64): f64 = jvp (\x -> x ** y) x 1.0

entry base_reverse (x: f64) (y: f64): f64 = vjp (\x -> x ** y) x 1.0

-- ==
-- entry: exponent_forward exponent_reverse
-- input { 2.0 3.0 } output { 5.545177444479562 }
entry exponent_forward (x: f64) (y: f64): f64 = jvp (\y -> x ** y) y 1.0

entry exponent_reverse (x: f64) (y: f64): f64 = vjp (\y -> x ** y) y 1.0

-- At the kinks, without arguments, so that the harness does not differentiate once more there. By the base at x = 0: 1 * 0^0 = 1 for y = 1; by the
-- rule 0 for y = 0.5 and y = 0. By the exponent: 0 at x = 0 and at x = -2.
-- ==
-- entry: kinks_forward kinks_reverse
-- input { } output { 1.0 0.0 0.0 0.0 0.0 }
entry kinks_forward: (f64, f64, f64, f64, f64) =
  let base y = jvp (\x -> x ** y) 0.0 1.0
  let exponent x = jvp (\y -> x ** y) 2.0 1.0
  in (base 1.0, base 0.5, base 0.0, exponent 0.0, exponent (-2.0))

entry kinks_reverse: (f64, f64, f64, f64, f64) =
  let base y = vjp (\x -> x ** y) 0.0 1.0
  let exponent x = vjp (\y -> x ** y) 2.0 1.0
  in (base 1.0, base 0.5, base 0.0, exponent 0.0, exponent (-2.0))

-- The second derivative by the base, y (y-1) x^(y-2): at 0, for the square 2, for the cube 0; for the cube at 2, 12.
-- ==
-- entry: twice twice_mixed
-- input { 0.0 2.0 } output { 2.0 }
-- input { 0.0 3.0 } output { 0.0 }
-- input { 2.0 3.0 } output { 12.0 }
entry twice (x: f64) (y: f64): f64 = jvp (\x -> jvp (\x -> x ** y) x 1.0) x 1.0

entry twice_mixed (x: f64) (y: f64): f64 = jvp (\x -> vjp (\x -> x ** y) x 1.0) x 1.0
