-- R10 (digest 002, 6.2): while loops without a bound. The first is R9's: 1.1^64 and 64 * 1.1^63, by Python.
-- ==
-- entry: squares
-- input { 1.1 }   output { 445.79156845259257 25936.963982696292 }
-- input { 200.0 } output { 200.0 1.0 }
entry squares (x: f64): (f64, f64) = vjp2 (\x -> loop x while x < 100 do x * x) x 1

-- ==
-- entry: primal
-- input { 1.1 } output { 445.79156845259257 }
entry primal (x: f64): f64 = loop x while x < 100 do x * x

-- As many iterations as an element wants: x a^k. [1, 9, 5] to 8 by 2: 8 + 9 + 10; by a 3 a^2 + 5 = 17.
-- ==
-- entry: in_map
-- input { [1.0, 9.0, 5.0] 2.0 } output { [8.0, 9.0, 10.0] [8.0, 1.0, 2.0] 17.0 }
-- input { empty([0]f64) 2.0 } output { empty([0]f64) empty([0]f64) 0.0 }
entry in_map [n] (xs: [n]f64) (a: f64): ([n]f64, [n]f64, f64) =
  let (ys, (xs', a')) = vjp2 (\(xs, a) -> map (\x -> loop x while x < 8 do a * x) xs) (xs, a) (replicate n 1)
  in (ys, xs', a')

-- A while loop in a for loop in a while loop. Each round doubles until the target is reached, then the target is ten times that; x := 3 x
-- after it. From 1, twice: until 4 by two doublings, 12; until 40 by two, 48; 144. Once more as 144 < 200: until 400 by two, 576, 1728;
-- until 4000 by two, 6912, 20736. All is linear in x: the derivative is the value, for x = 1.
-- ==
-- entry: nested
-- input { 1.0 } output { 20736.0 20736.0 }
entry nested (x: f64): (f64, f64) =
  vjp2 (\x -> (loop (x, t) = (x, 4) while x < 200 do
                 loop (x, t) = (x, t) for _i < 2 do
                   let x = loop x while x < t do 2 * x
                   in (3 * x, 10 * t)).0) x 1

-- Updates in place: the elements of v multiplied up, until the product passes 20: [2, 3, 4, 5] to [2, 6, 24, 5]. With the adjoints [1, 10,
-- 100, 1000] v0: 1 + 30 + 1200; v1: 20 + 800; v2: 600; v3: 1000.
-- ==
-- entry: in_place
-- input { [2.0, 3.0, 4.0, 5.0] [1.0, 10.0, 100.0, 1000.0] } output { [2.0, 6.0, 24.0, 5.0] [1231.0, 820.0, 600.0, 1000.0] }
entry in_place [n] (vs: [n]f64) (adj: [n]f64): ([n]f64, [n]f64) =
  vjp2 (\vs -> (loop (vs, i) = (copy vs, 0) while i + 1 < n && vs[i] < 20 do (vs with [i + 1] = vs[i] * vs[i + 1], i + 1)).0) vs adj

-- The condition reads what has no derivative. x := x + k while k halves from 5: 5 + 2 + 1; the derivative of (x + 8) x is 2 x + 8.
-- ==
-- entry: by_integer
-- input { 5i64 3.0 } output { 33.0 14.0 }
-- input { 0i64 3.0 } output { 9.0 6.0 }
entry by_integer (k: i64) (x: f64): (f64, f64) =
  vjp2 (\x -> x * (loop (y, k) = (x, k) while k > 0 do (y + f64.i64 k, k / 2)).0) x 1

-- Newton's method for sqrt a, until it moves by less than 1e-10: its derivative is that of sqrt, 1 / (2 sqrt a).
-- ==
-- entry: newton
-- input { 4.0 }  output { 2.0 0.25 }
-- input { 0.25 } output { 0.5 1.0 }
entry newton (a: f64): (f64, f64) =
  vjp2 (\a -> (loop (y, d) = (a, 1) while f64.abs d > 1e-10 do let z = (y + a / y) / 2 in (z, z - y)).0) a 1

-- 56 x^6 at 1.5, as x^8 is past 20.
-- ==
-- entry: second
-- input { 1.5 } output { 637.875 637.875 637.875 }
entry second (x: f64): (f64, f64, f64) =
  let f x = loop x while x < 20 do x * x
  in (vjp (\x -> vjp f x 1) x 1, jvp (\x -> vjp f x 1) x 1, vjp (\x -> jvp f x 1) x 1)
