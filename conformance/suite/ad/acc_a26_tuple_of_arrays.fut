-- A26 (digest 001, 5.2; 2.4, tuple3): pairs of arrays of different ranks and sizes out of two conditionals. Expected: the digest's golden
-- values; of its three inputs each reaches other branches. In reverse mode, and the same from forward mode.

def f [n] [m] (a: [n]f64, b: [m]f64) : f64 =
  let (c, d): ([][]f64, []f64) =
    if n % 3 == 0 then (map (replicate 3) b, a)
    else (tabulate_2d 1 2 (\i j -> f64.i64 (i + j)), b)
  let (e, g): ([][]f64, []f64) =
    if (if length c > 0 then c[0, 1] else 42) > 0 then (c, d)
    else (tabulate_2d 4 4 (\i j -> d[i * j % length d]), map (\row -> row[0]) c)
  let k = i64.min (length g) (length e)
  in f64.sum (map2 (+) (take k g) (take k (map f64.sum e)))

-- ==
-- entry: reverse forward
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] [0.5, 1.25, 2.0, 1.75] } output { 19.5 [1.0, 1.0, 1.0, 1.0, 0.0, 0.0] [3.0, 3.0, 3.0, 3.0] }
-- input { [1.25, -2.25, 0.75, 3.25, -0.75] [0.5, 1.25, 2.0, 1.75] } output { 1.5 [0.0, 0.0, 0.0, 0.0, 0.0] [1.0, 0.0, 0.0, 0.0] }
-- input { [1.25, -2.25, 0.75] [-0.5, 1.25, 2.0, 1.75] } output { 16.5 [12.0, 2.0, 2.0] [1.0, 1.0, 1.0, 1.0] }
entry reverse [n] [m] (a: [n]f64) (b: [m]f64) : (f64, [n]f64, [m]f64) =
  let (y, (a', b')) = vjp2 f (a, b) 1
  in (y, a', b')

entry forward [n] [m] (a: [n]f64) (b: [m]f64) : (f64, [n]f64, [m]f64) =
  let unit n i = map (\j -> f64.bool (i == j)) (iota n)
  in ( f (a, b)
     , map (\i -> jvp f (a, b) (unit n i, replicate m 0)) (iota n)
     , map (\i -> jvp f (a, b) (replicate n 0, unit m i)) (iota m)
     )
