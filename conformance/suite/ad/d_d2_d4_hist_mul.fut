-- D2, D3, D4 (digest 000, table 5.D, its data S): a bin of a product with a zero in the destination and an empty bin; with one zero among
-- the elements; with two. Expected are its literal vectors; the results of D4 are 2*0*7, 3, 5*0*0*5, 7*6.
def f [w] [n] (is: [n]i64) (dst: [w]f64, vs: [n]f64): [w]f64 = reduce_by_index (copy dst) (*) 1.0 is vs

def unit (n: i64) (i: i64): [n]f64 = map (\j -> f64.bool (i == j)) (iota n)

def dot [n] (xs: [n]f64) (ys: [n]f64): f64 = f64.sum (map2 (*) xs ys)

-- ==
-- entry: reverse forward
-- input { [2i64, 0i64, -1i64, 2i64, 5i64, 0i64, 3i64, 2i64, 4i64] [2.0, 3.0, 5.0, 0.0] [2.0, 3.0, 9.0, 4.0, 9.0, 7.0, 6.0, 5.0, 9.0]
--   [1.0, 10.0, 100.0, 1000.0] }
-- output { [42.0, 3.0, 200.0, 0.0] [21.0, 10.0, 4000.0, 6000.0] [10000.0, 14.0, 0.0, 5000.0, 0.0, 6.0, 0.0, 4000.0, 0.0] }
-- input { [2i64, 0i64, -1i64, 2i64, 5i64, 0i64, 3i64, 2i64, 4i64] [2.0, 3.0, 5.0, 7.0] [2.0, 3.0, 9.0, 0.0, 9.0, 7.0, 6.0, 5.0, 9.0]
--   [1.0, 10.0, 100.0, 1000.0] }
-- output { [42.0, 3.0, 0.0, 42.0] [21.0, 10.0, 0.0, 6000.0] [0.0, 14.0, 0.0, 5000.0, 0.0, 6.0, 7000.0, 0.0, 0.0] }
-- input { [2i64, 0i64, -1i64, 2i64, 5i64, 0i64, 3i64, 2i64, 4i64] [2.0, 3.0, 5.0, 7.0] [0.0, 3.0, 9.0, 0.0, 9.0, 7.0, 6.0, 5.0, 9.0]
--   [1.0, 10.0, 100.0, 1000.0] }
-- output { [42.0, 3.0, 0.0, 42.0] [21.0, 10.0, 0.0, 6000.0] [0.0, 14.0, 0.0, 0.0, 0.0, 6.0, 7000.0, 0.0, 0.0] }
entry reverse [w] [n] (is: [n]i64) (dst: [w]f64) (vs: [n]f64) (seed: [w]f64): ([w]f64, [w]f64, [n]f64) =
  let (y, (d, v)) = vjp2 (f is) (dst, vs) seed
  in (y, d, v)

-- The same from the columns of the Jacobian.
entry forward [w] [n] (is: [n]i64) (dst: [w]f64) (vs: [n]f64) (seed: [w]f64): ([w]f64, [w]f64, [n]f64) =
  let column d v = dot seed (jvp (f is) (dst, vs) (d, v))
  in ( f is (dst, vs)
     , tabulate w (\i -> column (unit w i) (replicate n 0.0))
     , tabulate n (\i -> column (replicate w 0.0) (unit n i)))
