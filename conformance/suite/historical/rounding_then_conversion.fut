-- Futhark #2425 (references.md A1): in reverse mode a rounding followed by a conversion to an integer was too much for the interpreter. Roundings
-- have the derivative 0, whatever comes after (futhark-compat.md §2.2). (Futhark 0.25.32 defines trunc by conversion to an integer and back, and so
-- has 3 there.)
-- ==
-- entry: reverse
-- input { 2.5 3i64 } output { 0.0 0.0 0.0 0.0 }
entry reverse (x: f64) (y': i64): (f64, f64, f64, f64) =
  (vjp (\x -> i64.f64 (f64.ceil x)) x y', vjp (\x -> i64.f64 (f64.floor x)) x y',
   vjp (\x -> i64.f64 (f64.round x)) x y', vjp (\x -> i64.f64 (f64.trunc x)) x y')

-- ==
-- entry: forward
-- input { 2.5 3.0 } output { 3i64 0i64 2i64 0i64 }
entry forward (x: f64) (x': f64): (i64, i64, i64, i64) =
  let (a, a') = jvp2 (\x -> i64.f64 (f64.ceil x)) x x'
  let (b, b') = jvp2 (\x -> i64.f64 (f64.round x)) x x'
  in (a, a', b, b')
