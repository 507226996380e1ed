-- D12 (digest 000, table 5.D): pairs of a value and its position; of equal values the lower position wins. By hand: bin 0 has (1, 9), (3,
-- 0), (3, 1), (2, 5): 3 at 0, the first element. Bin 1 (7, 1), (7, 2), (7, 3): 7 at 1, the destination. Bin 2 (4, 7), (9, 4), (9, 2): 9 at
-- 2, the last element. Bin 3 is empty. The values are integers: at a kink there is no numerical derivative.
def argmax (x: f64, i: i64) (y: f64, j: i64): (f64, i64) = if x == y then (x, i64.min i j) else if x > y then (x, i) else (y, j)

def f [w] [n] (is: [n]i64) (at: [w]i64) (js: [n]i64) (dst: [w]f64, vs: [n]f64): [w]f64 =
  (unzip (reduce_by_index (zip dst at) argmax (f64.lowest, i64.highest) is (zip vs js))).0

def unit (n: i64) (i: i64): [n]f64 = map (\j -> f64.bool (i == j)) (iota n)

def dot [n] (xs: [n]f64) (ys: [n]f64): f64 = f64.sum (map2 (*) xs ys)

-- ==
-- entry: positions
-- input { [0i64, 0i64, 1i64, 1i64, 2i64, 0i64, -1i64, 2i64] [9i64, 1i64, 7i64, 5i64] [0i64, 1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 2i64]
--   [1i64, 7i64, 4i64, 5i64] [3i64, 3i64, 7i64, 7i64, 9i64, 2i64, 99i64, 9i64] }
-- output { [3.0, 7.0, 9.0, 5.0] [0i64, 1i64, 2i64, 5i64] }
entry positions [w] [n] (is: [n]i64) (at: [w]i64) (js: [n]i64) (dst: [w]i64) (vs: [n]i64): ([w]f64, [w]i64) =
  unzip (reduce_by_index (zip (map f64.i64 dst) at) argmax (f64.lowest, i64.highest) is (zip (map f64.i64 vs) js))

-- ==
-- entry: reverse forward
-- input { [0i64, 0i64, 1i64, 1i64, 2i64, 0i64, -1i64, 2i64] [9i64, 1i64, 7i64, 5i64] [0i64, 1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 2i64]
--   [1i64, 7i64, 4i64, 5i64] [3i64, 3i64, 7i64, 7i64, 9i64, 2i64, 99i64, 9i64] [1.0, 10.0, 100.0, 1000.0] }
-- output { [0.0, 10.0, 0.0, 1000.0] [1.0, 0.0, 0.0, 0.0, 100.0, 0.0, 0.0, 0.0] }
entry reverse [w] [n] (is: [n]i64) (at: [w]i64) (js: [n]i64) (dst: [w]i64) (vs: [n]i64) (seed: [w]f64): ([w]f64, [n]f64) =
  vjp (f is at js) (map f64.i64 dst, map f64.i64 vs) seed

entry forward [w] [n] (is: [n]i64) (at: [w]i64) (js: [n]i64) (dst: [w]i64) (vs: [n]i64) (seed: [w]f64): ([w]f64, [n]f64) =
  let column d v = dot seed (jvp (f is at js) (map f64.i64 dst, map f64.i64 vs) (d, v))
  in (tabulate w (\i -> column (unit w i) (replicate n 0.0)), tabulate n (\i -> column (replicate w 0.0) (unit n i)))
