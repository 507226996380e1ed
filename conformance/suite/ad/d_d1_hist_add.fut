-- D1 (digest 000, table 5.D, its data S): the adjoint of an element is that of its bin. Expected are its literal vectors.
def f [w] [n] (is: [n]i64) (dst: [w]f64, vs: [n]f64): [w]f64 = reduce_by_index (copy dst) (+) 0.0 is vs

def unit (n: i64) (i: i64): [n]f64 = map (\j -> f64.bool (i == j)) (iota n)

def dot [n] (xs: [n]f64) (ys: [n]f64): f64 = f64.sum (map2 (*) xs ys)

-- ==
-- entry: reverse forward
-- input { [2i64, 0i64, -1i64, 2i64, 5i64, 0i64, 3i64, 2i64, 4i64] [1.0, 2.0, 3.0, 4.0]
--   [10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0] [1.0, 10.0, 100.0, 1000.0] }
-- output { [27.0, 2.0, 43.0, 20.0] [1.0, 10.0, 100.0, 1000.0] [100.0, 1.0, 0.0, 100.0, 0.0, 1.0, 1000.0, 100.0, 0.0] }
entry reverse [w] [n] (is: [n]i64) (dst: [w]f64) (vs: [n]f64) (seed: [w]f64): ([w]f64, [w]f64, [n]f64) =
  let (y, (d, v)) = vjp2 (f is) (dst, vs) seed
  in (y, d, v)

-- The same from the columns of the Jacobian.
entry forward [w] [n] (is: [n]i64) (dst: [w]f64) (vs: [n]f64) (seed: [w]f64): ([w]f64, [w]f64, [n]f64) =
  let column d v = dot seed (jvp (f is) (dst, vs) (d, v))
  in ( f is (dst, vs)
     , tabulate w (\i -> column (unit w i) (replicate n 0.0))
     , tabulate n (\i -> column (replicate w 0.0) (unit n i)))
