-- D5 (digest 000, table 5.D, its data S, its literal vectors): a neutral element that is neither 0 nor 1. A scan that leaks a value of the
-- bin beside it into a bin's suffix products gives adjoints ten times as large (E3).
def f [w] [n] (is: [n]i64) (dst: [w]f64, vs: [n]f64): [w]f64 = reduce_by_index (copy dst) (\x y -> x * y * 2.0) 0.5 is vs

def unit (n: i64) (i: i64): [n]f64 = map (\j -> f64.bool (i == j)) (iota n)

def dot [n] (xs: [n]f64) (ys: [n]f64): f64 = f64.sum (map2 (*) xs ys)

-- ==
-- entry: reverse forward
-- input { [2i64, 0i64, -1i64, 2i64, 5i64, 0i64, 3i64, 2i64, 4i64] [1.0, 2.0, 3.0, 4.0] [1.0, 2.0, 9.0, 3.0, 9.0, 4.0, 5.0, 6.0, 9.0]
--   [1.0, 10.0, 100.0, 1000.0] }
-- output { [32.0, 2.0, 432.0, 40.0] [32.0, 10.0, 14400.0, 10000.0] [43200.0, 16.0, 0.0, 14400.0, 0.0, 8.0, 8000.0, 7200.0, 0.0] }
entry reverse [w] [n] (is: [n]i64) (dst: [w]f64) (vs: [n]f64) (seed: [w]f64): ([w]f64, [w]f64, [n]f64) =
  let (y, (d, v)) = vjp2 (f is) (dst, vs) seed
  in (y, d, v)

-- The same from the columns of the Jacobian.
entry forward [w] [n] (is: [n]i64) (dst: [w]f64) (vs: [n]f64) (seed: [w]f64): ([w]f64, [w]f64, [n]f64) =
  let column d v = dot seed (jvp (f is) (dst, vs) (d, v))
  in ( f is (dst, vs)
     , tabulate w (\i -> column (unit w i) (replicate n 0.0))
     , tabulate n (\i -> column (replicate w 0.0) (unit n i)))
