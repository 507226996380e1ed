-- R6: a variable free in the loop is used before and after it as well. y = a, then y := y a twice, then y + a: a^3 + a, 3 a^2 + 1.
-- ==
-- input { 2.0 } output { 10.0 13.0 }
entry main (a: f64): (f64, f64) =
  vjp2 (\a -> let y = loop y = a for _i < 2 do y * a in y + a) a 1.0
