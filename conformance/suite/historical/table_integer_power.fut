-- Futhark's table of derivatives, error 6 (futhark-compat.md §2.3): of the power of integers the one by the exponent is 0. We keep that: the exponent
-- is no quantity that moves by parts, and x^y log x no integer. The one by the base is y x^(y-1), 3 * 2^2 = 12; for the exponent 0 it is 0, though
-- 2^-1 is no integer. (The oracles of derivatives do not judge integers: DESIGN.md §3.)
-- ==
-- entry: reverse forward
-- input { 2 3 } output { 12 0 }
-- input { 2 0 } output { 0 0 }
-- input { 0 1 } output { 1 0 }
entry reverse (x: i32) (y: i32): (i32, i32) = vjp (\(x, y) -> x ** y) (x, y) 1

entry forward (x: i32) (y: i32): (i32, i32) = (jvp (\x -> x ** y) x 1, jvp (\y -> x ** y) y 1)
