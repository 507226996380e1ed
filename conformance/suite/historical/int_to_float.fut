-- Futhark #2425 (references.md A1): conversions between integers and floats under differentiation. Tangents are converted, and adjoints back
-- (futhark-compat.md §2.2). Float to integer truncates, so an adjoint of 2.9 becomes 2, a tangent of 1.9 becomes 1.
-- ==
-- entry: from_float
-- input { 2.7 1.9 3i64 } output { 1i64 3.0 }
entry from_float (x: f64) (x': f64) (y': i64): (i64, f64) = (jvp i64.f64 x x', vjp i64.f64 x y')

-- ==
-- entry: from_int
-- input { 5i64 3i64 2.9 } output { 3.0 2i64 }
entry from_int (n: i64) (n': i64) (y': f64): (f64, i64) = (jvp f64.i64 n n', vjp f64.i64 n y')

-- Between widths: 0.5 and 0.25 are exact in both.
-- ==
-- entry: widths
-- input { 3.0 0.5 0.25f32 } output { 0.5f32 0.25 }
entry widths (x: f64) (x': f64) (y': f32): (f32, f64) = (jvp f32.f64 x x', vjp f32.f64 x y')

-- There and back: x trunc x at 2.5, by the product's rule, with a conversion of the tangent 1: 2 + 2.5; with one of the adjoint 2.5, truncated on
-- its way through the integer: 2 + 2. (So neither the identity nor the numerics judges such programs: DESIGN.md §3.)
-- ==
-- entry: there_and_back
-- input { 2.5 } output { 4.5 4.0 }
entry there_and_back (x: f64): (f64, f64) =
  (jvp (\x -> x * f64.i64 (i64.f64 x)) x 1.0, vjp (\x -> x * f64.i64 (i64.f64 x)) x 1.0)

-- The roundings are functions of floats, with the derivative 0: x floor x at 2.5 has the derivative floor x.
-- (Futhark 0.25.32 defines trunc by conversion to an integer and back, and so has 2 + 2 for the last.)
-- ==
-- entry: rounding
-- input { 2.5 } output { 2.0 3.0 2.0 2.0 }
entry rounding (x: f64): (f64, f64, f64, f64) =
  (jvp (\x -> x * f64.floor x) x 1.0, vjp (\x -> x * f64.ceil x) x 1.0,
   jvp (\x -> x * f64.round (x - 0.25)) x 1.0, vjp (\x -> x * f64.trunc x) x 1.0)
