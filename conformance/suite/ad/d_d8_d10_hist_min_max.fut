-- D8, D9, D10, D28 (digest 000, table 5.D, its literal vectors): ties in the bins 0, 1 and 2, the last two with the destination, an empty
-- bin, an index out of range. The destination wins, then the first element, in reverse and forward mode, by the rule for maxima and by the
-- general one. The arguments are integers: at a kink there is no numerical derivative.

def unit (n: i64) (i: i64): [n]f64 = map (\j -> f64.bool (i == j)) (iota n)

def dot [n] (xs: [n]f64) (ys: [n]f64): f64 = f64.sum (map2 (*) xs ys)

def largest [w] [n] (is: [n]i64) (dst: [w]f64, vs: [n]f64): [w]f64 = reduce_by_index (copy dst) f64.max f64.lowest is vs

-- Not recognised as a maximum: the general rule. With the arguments swapped it would give what both sides of a tie get, 1221 in all
-- instead of 1111.
def larger [w] [n] (is: [n]i64) (dst: [w]f64, vs: [n]f64): [w]f64 =
  reduce_by_index (copy dst) (\x y -> if x >= y then x else y) f64.lowest is vs

def smallest [w] [n] (is: [n]i64) (dst: [w]f64, vs: [n]f64): [w]f64 = reduce_by_index (copy dst) f64.min f64.highest is vs

def smaller [w] [n] (is: [n]i64) (dst: [w]f64, vs: [n]f64): [w]f64 =
  reduce_by_index (copy dst) (\x y -> if x <= y then x else y) f64.highest is vs

def reverse [w] [n] (f: ([w]f64, [n]f64) -> [w]f64) (dst: [w]i64) (vs: [n]i64) (seed: [w]f64): ([w]f64, [w]f64, [n]f64) =
  let (y, (d, v)) = vjp2 f (map f64.i64 dst, map f64.i64 vs) seed
  in (y, d, v)

-- The same from the columns of the Jacobian.
def forward [w] [n] (f: ([w]f64, [n]f64) -> [w]f64) (dst: [w]i64) (vs: [n]i64) (seed: [w]f64): ([w]f64, [w]f64, [n]f64) =
  let x = (map f64.i64 dst, map f64.i64 vs)
  let column d v = dot seed (jvp f x (d, v))
  in ( f x
     , tabulate w (\i -> column (unit w i) (replicate n 0.0))
     , tabulate n (\i -> column (replicate w 0.0) (unit n i)))

-- ==
-- entry: max_reverse max_forward larger_reverse larger_forward
-- input { [0i64, 0i64, 1i64, 1i64, 2i64, 0i64, -1i64, 2i64] [1i64, 7i64, 9i64, 5i64] [3i64, 3i64, 7i64, 7i64, 4i64, 2i64, 99i64, 9i64]
--   [1.0, 10.0, 100.0, 1000.0] }
-- output { [3.0, 7.0, 9.0, 5.0] [0.0, 10.0, 100.0, 1000.0] [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0] }
entry max_reverse [w] [n] (is: [n]i64) (dst: [w]i64) (vs: [n]i64) (seed: [w]f64) = reverse (largest is) dst vs seed

entry max_forward [w] [n] (is: [n]i64) (dst: [w]i64) (vs: [n]i64) (seed: [w]f64) = forward (largest is) dst vs seed

entry larger_reverse [w] [n] (is: [n]i64) (dst: [w]i64) (vs: [n]i64) (seed: [w]f64) = reverse (larger is) dst vs seed

entry larger_forward [w] [n] (is: [n]i64) (dst: [w]i64) (vs: [n]i64) (seed: [w]f64) = forward (larger is) dst vs seed

-- All negated: the adjoints are at the same positions.
-- ==
-- entry: min_reverse min_forward smaller_reverse smaller_forward
-- input { [0i64, 0i64, 1i64, 1i64, 2i64, 0i64, -1i64, 2i64] [-1i64, -7i64, -9i64, -5i64]
--   [-3i64, -3i64, -7i64, -7i64, -4i64, -2i64, -99i64, -9i64] [1.0, 10.0, 100.0, 1000.0] }
-- output { [-3.0, -7.0, -9.0, -5.0] [0.0, 10.0, 100.0, 1000.0] [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0] }
entry min_reverse [w] [n] (is: [n]i64) (dst: [w]i64) (vs: [n]i64) (seed: [w]f64) = reverse (smallest is) dst vs seed

entry min_forward [w] [n] (is: [n]i64) (dst: [w]i64) (vs: [n]i64) (seed: [w]f64) = forward (smallest is) dst vs seed

entry smaller_reverse [w] [n] (is: [n]i64) (dst: [w]i64) (vs: [n]i64) (seed: [w]f64) = reverse (smaller is) dst vs seed

entry smaller_forward [w] [n] (is: [n]i64) (dst: [w]i64) (vs: [n]i64) (seed: [w]f64) = forward (smaller is) dst vs seed

-- Without ties, of arguments: bin 0 max (1, 3, 6), bin 1 max (7, 4, 5), bin 2 max (8, 4, 9), bin 3 what was there.
-- ==
-- entry: apart apart_general
-- input { [0i64, 0i64, 1i64, 1i64, 2i64, 0i64, -1i64, 2i64] [1.0, 7.0, 8.0, 5.0] [3.0, 6.0, 4.0, 5.0, 4.0, 2.0, 99.0, 9.0]
--   [1.0, 10.0, 100.0, 1000.0] }
-- output { [6.0, 7.0, 9.0, 5.0] [0.0, 10.0, 0.0, 1000.0] [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 100.0] }
entry apart [w] [n] (is: [n]i64) (dst: [w]f64) (vs: [n]f64) (seed: [w]f64): ([w]f64, [w]f64, [n]f64) =
  let (y, (d, v)) = vjp2 (largest is) (dst, vs) seed
  in (y, d, v)

entry apart_general [w] [n] (is: [n]i64) (dst: [w]f64) (vs: [n]f64) (seed: [w]f64): ([w]f64, [w]f64, [n]f64) =
  let (y, (d, v)) = vjp2 (larger is) (dst, vs) seed
  in (y, d, v)

-- With two indices: the greatest of 3 and 4 at (0, 1), of 5 and what was there, 6, at (1, 0); (1, 2) is out of range.
-- ==
-- entry: two_indices
-- input { [[1.0, 2.0], [6.0, 1.0]] [0i64, 0i64, 1i64, 1i64] [1i64, 1i64, 0i64, 2i64] [3.0, 4.0, 5.0, 9.0] [[1.0, 10.0], [100.0, 1000.0]] }
-- output { [[1.0, 4.0], [6.0, 1.0]] [[1.0, 0.0], [100.0, 1000.0]] [0.0, 10.0, 0.0, 0.0] }
entry two_indices [v] [w] [n] (dst: [v][w]f64) (is: [n]i64) (js: [n]i64) (vs: [n]f64) (seed: [v][w]f64): ([v][w]f64, [v][w]f64, [n]f64) =
  let f (dst, vs) = reduce_by_index_2d (copy dst) f64.max f64.lowest (zip is js) vs
  let (y, (d, v)) = vjp2 f (dst, vs) seed
  in (y, d, v)

-- Of three equal values the first one's tangent counts, whatever the operator is made of, and in whatever order they come.
-- ==
-- entry: ties
-- input { [0i64, 1i64, 0i64, 0i64, 1i64, 1i64] [1.0, 2.0, 3.0, 4.0, 5.0, 6.0] } output { [1.0, 2.0] [1.0, 2.0] 1.0 }
entry ties [n] (is: [n]i64) (tangents: [n]f64): ([2]f64, [2]f64, f64) =
  let ones = replicate n 1.0
  let chosen (x: f64) (y: f64) = if x >= y then x else y
  let into op vs = reduce_by_index (replicate 2 0) op (-f64.inf) is vs
  in (jvp (into f64.max) ones tangents, jvp (into chosen) ones tangents, jvp (reduce_comm chosen (-f64.inf)) ones tangents)
