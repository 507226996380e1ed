-- R4: x := x x three times from 2 is x^8 = 256, its derivative 8 x^7 = 1024.
-- ==
-- entry: squares
-- input { 2.0 } output { 256.0 1024.0 }
entry squares (x: f64): (f64, f64) = vjp2 (\x -> loop x for _i < 3 do x * x) x 1.0

-- x := x a three times is x0 a^3: at x0 = 1, a = 2 the derivatives are a^3 = 8 and 3 x0 a^2 = 12.
-- ==
-- entry: free
-- input { 1.0 2.0 } output { 8.0 12.0 }
entry free (x: f64) (a: f64): (f64, f64) = vjp (\(x, a) -> loop x for _i < 3 do x * a) (x, a) 1.0
