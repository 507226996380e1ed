-- D7 (digest 000, table 5.D, its literal vectors): the product of dual numbers, whose components interact, with indices out of range.
def times (a: f64, b: f64) (c: f64, d: f64): (f64, f64) = (b * c + d * a, b * d)

def f [w] [n] (is: [n]i64) (dst: [w][2]f64, vs: [n][2]f64): [w][2]f64 =
  let pair x = (x[0], x[1])
  in map (\(a, b) -> [a, b]) (reduce_by_index (map pair dst) times (0.0, 1.0) is (map pair vs))

def unit (n: i64) (i: i64): [n][2]f64 = unflatten (map (\j -> f64.bool (i == j)) (iota (n * 2)))

def dot [n] (xs: [n][2]f64) (ys: [n][2]f64): f64 = f64.sum (map2 (\x y -> x[0] * y[0] + x[1] * y[1]) xs ys)

-- ==
-- entry: reverse forward
-- input { [1i64, 0i64, 1i64, -3i64, 0i64, 1i64, 7i64] [[0.0, 1.0], [1.0, 2.0], [5.0, 6.0]]
--   [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [9.0, 9.0], [7.0, 8.0], [1.0, 3.0], [9.0, 9.0]] [[1.0, 1.0], [1.0, 0.0], [2.0, 3.0]] }
-- output { [[52.0, 32.0], [156.0, 72.0], [5.0, 6.0]] [[32.0, 84.0], [36.0, 60.0], [2.0, 3.0]]
--   [[36.0, 60.0], [8.0, 15.0], [12.0, 16.0], [0.0, 0.0], [4.0, 7.0], [24.0, 44.0], [0.0, 0.0]] }
entry reverse [w] [n] (is: [n]i64) (dst: [w][2]f64) (vs: [n][2]f64) (seed: [w][2]f64): ([w][2]f64, [w][2]f64, [n][2]f64) =
  let (y, (d, v)) = vjp2 (f is) (dst, vs) seed
  in (y, d, v)

-- The same from the columns of the Jacobian.
entry forward [w] [n] (is: [n]i64) (dst: [w][2]f64) (vs: [n][2]f64) (seed: [w][2]f64): ([w][2]f64, [w][2]f64, [n][2]f64) =
  let column d v = dot seed (jvp (f is) (dst, vs) (d, v))
  in ( f is (dst, vs)
     , unflatten (tabulate (w * 2) (\i -> column (unit w i) (replicate n [0.0, 0.0])))
     , unflatten (tabulate (n * 2) (\i -> column (replicate w [0.0, 0.0]) (unit n i))))

-- Only the second component of (a, b) (v, e) = (a v, a e + b v) is used, 2 * 1 + 7 * 3 = 23. By hand: e, v; b, a.
-- ==
-- entry: second
-- input { 2.0 7.0 3.0 1.0 }
-- output { 23.0 1.0 3.0 7.0 2.0 }
entry second (a: f64) (b: f64) (v: f64) (e: f64): (f64, f64, f64, f64, f64) =
  let op (a, b) (v, e) = (a * v, a * e + b * v)
  let f (a, b, v, e) = (reduce_by_index [(a, b)] op (1.0, 0.0) [0] [(v, e)])[0].1
  let (y, (a_bar, b_bar, v_bar, e_bar)) = vjp2 f (a, b, v, e) 1.0
  in (y, a_bar, b_bar, v_bar, e_bar)
