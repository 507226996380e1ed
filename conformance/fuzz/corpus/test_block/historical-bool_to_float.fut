-- Futhark #2239 (references.md A1): forward mode was wrong for conversions from bool to float in the compiler, and right in the interpreter.

-- A comparison has the derivative false, which converts to 0: x [x > 1] has the derivative [x > 1].
-- ==
-- entry: forward reverse
-- input { 2.0 } output { 1.0 }
-- input { 0.5 } output { 0.0 }
entry forward (x: f64): f64 = jvp (\x -> x * f64.bool (x > 1.0)) x 1.0

entry reverse (x: f64): f64 = vjp (\x -> x * f64.bool (x > 1.0)) x 1.0

-- A conversion converts the tangent, and the adjoint back (futhark-compat.md §2.2). Between booleans and
-- floats, no other oracle of derivatives applies (DESIGN.md §3).
-- ==
-- entry: tangent
-- input { true true }   output { 1.0 }
-- input { true false }  output { 0.0 }
-- input { false true }  output { 1.0 }
entry tangent (b: bool) (b': bool): f64 = jvp f64.bool b b'

-- ==
-- entry: adjoint
-- input { false 2.0 } output { true }
-- input { true 0.0 }  output { false }
entry adjoint (b: bool) (y': f64): bool = vjp f64.bool b y'
