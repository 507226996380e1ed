-- E9 (digest 000, table 5.E, its literal vectors): of equal maxima the first gets the adjoints. The arguments are integers: at a kink
-- there is no numerical derivative.

def unit (n: i64) (i: i64): [n]f64 = map (\j -> f64.bool (i == j)) (iota n)

-- ==
-- entry: special general forward
-- input { [3i64, 1i64, 3i64, 5i64, 5i64, 2i64] [1.0, 10.0, 100.0, 1000.0, 10000.0, 100000.0] }
-- output { [3.0, 3.0, 3.0, 5.0, 5.0, 5.0] [111.0, 0.0, 0.0, 111000.0, 0.0, 0.0] }
entry special [n] (xs: [n]i64) (seed: [n]f64): ([n]f64, [n]f64) = vjp2 (scan f64.max f64.lowest) (map f64.i64 xs) seed

entry general [n] (xs: [n]i64) (seed: [n]f64): ([n]f64, [n]f64) =
  vjp2 (scan (\x y -> if x >= y then x else y) f64.lowest) (map f64.i64 xs) seed

entry forward [n] (xs: [n]i64) (seed: [n]f64): ([n]f64, [n]f64) =
  let f = scan f64.max f64.lowest
  in (f (map f64.i64 xs), tabulate n (\i -> f64.sum (map2 (*) seed (jvp f (map f64.i64 xs) (unit n i)))))

-- Minima of all negated.
-- ==
-- entry: minimum
-- input { [-3i64, -1i64, -3i64, -5i64, -5i64, -2i64] [1.0, 10.0, 100.0, 1000.0, 10000.0, 100000.0] }
-- output { [-3.0, -3.0, -3.0, -5.0, -5.0, -5.0] [111.0, 0.0, 0.0, 111000.0, 0.0, 0.0] }
entry minimum [n] (xs: [n]i64) (seed: [n]f64): ([n]f64, [n]f64) = vjp2 (scan f64.min f64.highest) (map f64.i64 xs) seed
