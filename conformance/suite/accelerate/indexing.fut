-- Digest 001, §2.4: programs of van den Haak et al.'s tests, with their names, each with its gradient. Expected: the digest, for its input a,
-- and, where it says so, for -a, so that the other branches run; of no elements by hand.
-- The tests with names that end in "friendly" are the same programs on random inputs far from a step; a is one.
import "lib/accelerate"

def gradient [n] (f: [n]f64 -> f64) (a: [n]f64) : (f64, [n]f64) = vjp2 f a 1

-- ==
-- entry: aindex_generate_1
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 1.25 [1.0, 0.0, 1.0, 0.0, 1.0, 0.0] }
-- input { empty([0]f64) } output { 0.0 empty([0]f64) }
entry aindex_generate_1 [n] (a: [n]f64) : (f64, [n]f64) =
  gradient (\a -> sum (generate (n / 2) (\i -> a[2 * i]))) a

-- ==
-- entry: aindex_generate_2
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 2.9 [8.0, 8.0, 2.0, 2.0, 2.0, 2.0] }
-- input { empty([0]f64) } output { 0.0 empty([0]f64) }
entry aindex_generate_2 [n] (a: [n]f64) : (f64, [n]f64) =
  gradient (\a -> sum (generate (2 * n) (\i -> a[i / 2] + a[i64.min (i % 2) (n - 1)]))) a

-- ==
-- entry: aindex_generate_3
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 292.75 [2.0, 2.0, 1.0, 0.0, 0.0, 0.0] }
-- input { empty([0]f64) } output { 0.0 empty([0]f64) }
entry aindex_generate_3 [n] (a: [n]f64) : (f64, [n]f64) =
  gradient (\a -> sum (generate (2 * n) (\i -> if i < 5 then a[i / 2] else 42))) a

-- ==
-- entry: aindex_generate_4
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 8.9 [2.0, 2.0, 2.0, 2.0, 2.0, 2.0] }
-- input { empty([0]f64) } output { 0.0 empty([0]f64) }
entry aindex_generate_4 [n] (a: [n]f64) : (f64, [n]f64) =
  gradient (\a -> sum (generate (2 * n) (\i -> if i < n then a[i] else a[i - n]))) a

-- Where there is no element to add it to, the third element is not read.
-- ==
-- entry: aindex_map_1
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 8.95 [1.0, 1.0, 7.0, 1.0, 1.0, 1.0] }
-- input { empty([0]f64) } output { 0.0 empty([0]f64) }
-- input { [1.0] } error: out of bounds
entry aindex_map_1 [n] (a: [n]f64) : (f64, [n]f64) =
  gradient (\a -> sum (map (\x -> x + a[2]) a)) a

-- ==
-- entry: aindex_map_2
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 2.45 [1.0, 4.0, 3.0, 2.0, 1.0, 1.0] }
-- input { empty([0]f64) } output { 0.0 empty([0]f64) }
entry aindex_map_2 [n] (a: [n]f64) : (f64, [n]f64) =
  let near x = i64.abs (i64.f64 (f64.round x)) % n
  in gradient (\a -> sum (map (\x -> x + a[near x]) a)) a

-- ==
-- entry: aindex_map_3
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 12.0625 [2.45, 1.25, 1.25, 6.5, 1.25, 1.25] }
-- input { empty([0]f64) } output { 0.0 empty([0]f64) }
entry aindex_map_3 [n] (a: [n]f64) : (f64, [n]f64) =
  let near x = i64.abs (i64.f64 (f64.round x)) % n
  in gradient (\a -> let b = fold_2d f64.max (-20) (backpermute_1_2 n n (\i j -> i & j) a)
                     in sum (map (\x -> x * b[near x]) a)) a

-- ==
-- entry: aindex_map_4
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { -18.635 [-1.6, 13.2, -6.0, -6.0, 11.8, 12.4] }
-- input { empty([0]f64) } output { 0.0 empty([0]f64) }
entry aindex_map_4 [n] (a: [n]f64) : (f64, [n]f64) =
  let near x = i64.abs (i64.f64 (f64.round x)) % n
  in gradient (\a -> let b = sum_2d (backpermute_1_2 n n (\i j -> i64.min (i ^ j) (n - 1)) a)
                     in sum (map (\x -> x * a[near x]) b)) a

-- ==
-- entry: aindex_only
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 2.25 [1.0, 1.0, 1.0, 1.0, 1.0, 0.0] }
-- input { empty([0]f64) } error: [Dd]ivi
entry aindex_only [n] (a: [n]f64) : (f64, [n]f64) =
  gradient (\a -> sum (generate 5 (\i -> a[i % n]))) a
