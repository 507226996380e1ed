-- C6, C10, B12 (digest 000, tables 5.B, 5.C): ties in maxima and minima; its literal vector, and of all equal ones the first. In reverse
-- and forward mode, by the rule for maxima and the general one. The arguments are integers: at a kink there is no numerical derivative.

def forward [n] (f: [n]f64 -> f64) (xs: [n]f64) (seed: f64): [n]f64 =
  tabulate n (\i -> seed * jvp f xs (tabulate n (\j -> f64.bool (i == j))))

def larger (x: f64) (y: f64): f64 = if x >= y then x else y

-- ==
-- entry: special general columns
-- input { [1i64, 3i64, 3i64, 2i64, 3i64] 1.0 }
-- output { [0.0, 1.0, 0.0, 0.0, 0.0] }
-- input { [2i64, 2i64, 2i64] 5.0 }
-- output { [5.0, 0.0, 0.0] }
-- input { empty([0]i64) 5.0 }
-- output { empty([0]f64) }
-- input { [7i64] 5.0 }
-- output { [5.0] }
entry special [n] (xs: [n]i64) (seed: f64): [n]f64 = vjp f64.maximum (map f64.i64 xs) seed

entry general [n] (xs: [n]i64) (seed: f64): [n]f64 = vjp (reduce larger f64.lowest) (map f64.i64 xs) seed

entry columns [n] (xs: [n]i64) (seed: f64): [n]f64 = forward f64.maximum (map f64.i64 xs) seed

-- ==
-- entry: minimum minimum_columns
-- input { [-1i64, -3i64, -3i64, -2i64, -3i64] 1.0 }
-- output { [0.0, 1.0, 0.0, 0.0, 0.0] }
-- input { [2i64, 2i64, 2i64] 5.0 }
-- output { [5.0, 0.0, 0.0] }
entry minimum [n] (xs: [n]i64) (seed: f64): [n]f64 = vjp f64.minimum (map f64.i64 xs) seed

entry minimum_columns [n] (xs: [n]i64) (seed: f64): [n]f64 = forward f64.minimum (map f64.i64 xs) seed

-- The zeros are equal, so that the first gets all.
-- ==
-- entry: zeros
-- input { 5.0 } output { [5.0, 0.0] [5.0, 0.0] [5.0, 0.0] [5.0, 0.0] }
entry zeros (seed: f64): ([2]f64, [2]f64, [2]f64, [2]f64) =
  ( vjp f64.maximum [-0.0, 0.0] seed, vjp f64.maximum [0.0, -0.0] seed
  , vjp f64.minimum [-0.0, 0.0] seed, vjp f64.minimum [0.0, -0.0] seed)

-- The maximum or minimum of a number and a NaN is the number, which gets all. (Of two: with a NaN no neutral element of a reduction is neutral.)
-- ==
-- entry: nan
-- input { 5.0 } output { 0.0 5.0 5.0 0.0 }
entry nan (seed: f64): (f64, f64, f64, f64) =
  let (a, b) = vjp (\(x, y) -> f64.max x y) (f64.nan, 1.0) seed
  let (c, d) = vjp (\(x, y) -> f64.min x y) (1.0, f64.nan) seed
  in (a, b, c, d)
