-- A5 (digest 002): forward mode through each construct of table 1A.4. Expected values by hand: the value, and its tangent by the rules of
-- calculus, beside each entry point.

-- x^2 above 1, 3 x below: 2 x x', 3 x'.
-- ==
-- entry: branch
-- input { 3.0 2.0 } output { 9.0 12.0 }
-- input { 0.5 2.0 } output { 1.5 6.0 }
entry branch (x: f64) (x': f64): (f64, f64) = jvp2 (\x -> if x > 1 then x * x else 3 * x) x x'

-- x^8: 8 x^7.
-- ==
-- entry: for_loop
-- input { 2.0 1.0 } output { 256.0 1024.0 }
entry for_loop (x: f64) (x': f64): (f64, f64) = jvp2 (\x -> loop x for _i < 3 do x * x) x x'

-- Doubled until it is at least 10: from 3 twice.
-- ==
-- entry: while_loop
-- input { 3.0 0.5 } output { 12.0 2.0 }
-- input { 10.0 0.5 } output { 10.0 0.5 }
entry while_loop (x: f64) (x': f64): (f64, f64) = jvp2 (\x -> loop x while x < 10 do 2 * x) x x'

-- a x^2 with a free: a' x^2 + 2 a x x'. At a = 3, a' = 2: 2 + 6 * 10, 8 + 12 * 100.
-- ==
-- entry: map_free
-- input { 3.0 [1.0, 2.0] 2.0 [10.0, 100.0] } output { [3.0, 12.0] [62.0, 1208.0] }
entry map_free [n] (a: f64) (xs: [n]f64) (a': f64) (xs': [n]f64): ([n]f64, [n]f64) =
  jvp2 (\(a, xs) -> map (\x -> a * x * x) xs) (a, xs) (a', xs')

-- Prefix products of [2, 3, 4]: 1; 3 + 2; 12 + 8 + 6.
-- ==
-- entry: scanned
-- input { [2.0, 3.0, 4.0] [1.0, 1.0, 1.0] } output { [2.0, 6.0, 24.0] [1.0, 5.0, 26.0] }
-- input { [2.0, 3.0, 4.0] [1.0, 0.0, 0.0] } output { [2.0, 6.0, 24.0] [1.0, 3.0, 12.0] }
entry scanned [n] (xs: [n]f64) (xs': [n]f64): ([n]f64, [n]f64) = jvp2 (scan (*) 1) xs xs'

-- Product, smallest and largest of [3, 1, 2]: 10 * 1 * 2 + 20 * 3 * 2 + 30 * 3 * 1 = 230; the tangents of the second and of the first.
-- ==
-- entry: reduced
-- input { [3.0, 1.0, 2.0] [10.0, 20.0, 30.0] } output { [6.0, 1.0, 3.0] [230.0, 20.0, 10.0] }
entry reduced [n] (xs: [n]f64) (xs': [n]f64): ([3]f64, [3]f64) =
  jvp2 (\xs -> [f64.product xs, f64.minimum xs, f64.maximum xs]) xs xs'

-- Sums: 1 + 2 + 4 and 1 + 3; 0.5 + 1 + 100 and 0.25 + 10; position 7 is ignored. Products: 1 * 2 * 4 and 1 * 3; 0.5 * 8 + 1 * 4 + 100 * 2 =
-- 208 and 0.25 * 3 + 10 = 10.75.
-- ==
-- entry: by_index
-- input { [1.0, 1.0] [0i64, 1i64, 0i64, 7i64] [2.0, 3.0, 4.0, 5.0] [0.5, 0.25] [1.0, 10.0, 100.0, 1000.0] }
-- output { [7.0, 4.0] [8.0, 3.0] [101.5, 10.25] [208.0, 10.75] }
entry by_index [k] [n] (h: [k]f64) (is: [n]i64) (vs: [n]f64) (h': [k]f64) (vs': [n]f64): ([k]f64, [k]f64, [k]f64, [k]f64) =
  let f (h, vs) = (reduce_by_index (copy h) (+) 0 is vs, reduce_by_index (copy h) (*) 1 is vs)
  let ((s, p), (s', p')) = jvp2 f (h, vs) (h', vs')
  in (s, p, s', p')

-- ==
-- entry: scattered
-- input { [1.0, 2.0, 3.0] [2i64, 9i64] [7.0, 8.0] [0.1, 0.2, 0.3] [1.0, 2.0] } output { [1.0, 2.0, 7.0] [0.1, 0.2, 1.0] }
entry scattered [k] [n] (xs: [k]f64) (is: [n]i64) (vs: [n]f64) (xs': [k]f64) (vs': [n]f64): ([k]f64, [k]f64) =
  jvp2 (\(xs, vs) -> scatter (copy xs) is vs) (xs, vs) (xs', vs')

-- xs[0] := xs[0] xs[2]: 2 * 5; 1 * 5 + 2 * 100.
-- ==
-- entry: updated
-- input { [2.0, 3.0, 5.0] [1.0, 10.0, 100.0] } output { [10.0, 3.0, 5.0] [205.0, 10.0, 100.0] }
entry updated (xs: [3]f64) (xs': [3]f64): ([3]f64, [3]f64) = jvp2 (\xs -> copy xs with [0] = xs[0] * xs[2]) xs xs'

-- Views move tangents as they move values.
-- ==
-- entry: views
-- input { [[1.0, 2.0], [3.0, 4.0]] [[10.0, 20.0], [30.0, 40.0]] }
-- output { [[4.0, 2.0], [3.0, 1.0]] [2.0, 4.0, 1.0] [[40.0, 20.0], [30.0, 10.0]] [20.0, 40.0, 10.0] }
entry views (xs: [2][2]f64) (xs': [2][2]f64): ([2][2]f64, []f64, [2][2]f64, []f64) =
  let f xs = (reverse (map reverse (transpose xs)), [xs[0, 1]] ++ [last xs[1]] ++ xs[:1, 0])
  let ((a, b), (a', b')) = jvp2 f xs xs'
  in (a, b, a', b')

-- Integers and booleans have no part in it: 2 ks[i] xs[i], or 0 where it is not used.
-- ==
-- entry: with_integers
-- input { [3i64, 4i64] [true, false] [1.0, 2.0] [10.0, 100.0] } output { [6.0, 0.0] [60.0, 0.0] }
entry with_integers [n] (ks: [n]i64) (used: [n]bool) (xs: [n]f64) (xs': [n]f64): ([n]f64, [n]f64) =
  jvp2 (\xs -> map3 (\k u x -> if u then f64.i64 (2 * k) * x else 0) ks used xs) xs xs'

-- An accumulator: the sum of x^2 at each position; 2 x x'.
-- ==
-- entry: accumulated
-- input { [0i64, 1i64, 0i64] [1.0, 2.0, 3.0] [1.0, 10.0, 100.0] } output { [10.0, 4.0] [602.0, 40.0] }
entry accumulated [n] (is: [n]i64) (xs: [n]f64) (xs': [n]f64): ([2]f64, [2]f64) =
  let f (xs: [n]f64): [2]f64 =
    reduce_by_index_stream (replicate 2 0) (+) 0 (\(acc: *acc ([2]f64)) (i, x) -> write acc i (x * x)) (zip is xs)
  in jvp2 f xs xs'
