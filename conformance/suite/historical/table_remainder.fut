-- Futhark's table of derivatives, error 6 (futhark-compat.md §2.3): remainders had the derivative 0 by the divisor. x - q y has -q, with the quotient q.

-- Floats: q is truncated. 7.5 % 2 = 1.5, q = 3; -7.5 % 2 = -1.5, q = -3.
-- (As Futhark's compiler has it; its interpreter, 0.25.32, says 0.5.)
-- ==
-- entry: float
-- input { 7.5 2.0 }  output { 1.5 1.0 -3.0 }
-- input { -7.5 2.0 } output { -1.5 1.0 3.0 }
entry float (x: f64) (y: f64): (f64, f64, f64) =
  let (r, (x', y')) = vjp2 (\(x, y) -> x % y) (x, y) 1.0
  in (r, x', y')

-- ==
-- entry: float_forward
-- input { 7.5 2.0 }  output { 1.0 -3.0 }
-- input { -7.5 2.0 } output { 1.0 3.0 }
entry float_forward (x: f64) (y: f64): (f64, f64) = (jvp (\x -> x % y) x 1.0, jvp (\y -> x % y) y 1.0)

-- Integers: `%` goes with the quotient toward minus infinity, `%%` with the one toward zero. -7 by 2: 1 and q = -4; -1 and q = -3. (The oracles of
-- derivatives do not judge integers: DESIGN.md §3.)
-- ==
-- entry: integer integer_forward
-- input { 7 2 }  output { -3 -3 }
-- input { -7 2 } output { 4 3 }
entry integer (x: i32) (y: i32): (i32, i32) = (vjp (\y -> x % y) y 1, vjp (\y -> x %% y) y 1)

entry integer_forward (x: i32) (y: i32): (i32, i32) = (jvp (\y -> x % y) y 1, jvp (\y -> x %% y) y 1)
