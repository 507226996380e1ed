-- A3: `jvp2` and `vjp2` give the function's result as well.
-- ==
-- input { 3.0 }
-- output { 9.0 6.0 9.0 6.0 }
entry main (x: f64): (f64, f64, f64, f64) =
  let square x = x * x
  let (y, t) = jvp2 square x 1.0
  let (z, a) = vjp2 square x 1.0
  in (y, t, z, a)
