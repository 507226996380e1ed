-- Digest 001, §2.4: programs of van den Haak et al.'s tests, with their names, each with its gradient. Expected: the digest, for its input a,
-- and, where it says so, for -a, so that the other branches run; of no elements by hand.
import "lib/accelerate"

def gradient [n] (f: [n]f64 -> f64) (a: [n]f64) : (f64, [n]f64) = vjp2 f a 1

-- ==
-- entry: replicate_1
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { -189291275.0244141 [-235562475.5859375, 235562475.5859375, -360554809.5703125, -102782592.7734375, -504776733.3984375, -145195012.0925903] }
-- input { empty([0]f64) } output { 1.0 empty([0]f64) }
entry replicate_1 [n] (a: [n]f64) : (f64, [n]f64) =
  gradient (\a -> product (sum_2d (map (map (* 2)) (replicate_an 5 (map (\x -> x * x + x) a))))) a

-- ==
-- entry: replicate_2
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 6.900625 [0.875, -0.875, 0.625, 1.875, -0.125, 1.35] }
entry replicate_2 [n] (a: [n]f64) : (f64, [n]f64) =
  gradient (\a -> fold1All_2d (+) (map (map (/ 20)) (replicate_na 5 (map (\x -> x * x + x) a)))) a

-- ==
-- entry: replicate_3
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 1656.15 [210.0, -210.0, 150.0, 450.0, -30.0, 324.0] }
entry replicate_3 [n] (a: [n]f64) : (f64, [n]f64) =
  let twice = map (map (map (map (* 2))))
  let square = map (map (\x -> x * x + x))
  in gradient (\a -> fold1All_4d (+) (twice (replicate_anan 5 3 (square (replicate_an 2 a))))) a

-- ==
-- entry: replicate_4
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 1656.15 [210.0, -210.0, 150.0, 450.0, -30.0, 324.0] }
entry replicate_4 [n] (a: [n]f64) : (f64, [n]f64) =
  let twice = map (map (map (map (* 2))))
  let square = map (map (\x -> x * x + x))
  in gradient (\a -> fold1All_4d (+) (twice (replicate_nana 5 3 (square (replicate_an 2 a))))) a

-- ==
-- entry: slice_1
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 4.45 [1.0, 1.0, 1.0, 1.0, 1.0, 1.0] }
-- input { empty([0]f64) } output { 0.0 empty([0]f64) }
entry slice_1 [n] (a: [n]f64) : (f64, [n]f64) =
  let m = n / 4 + 3
  in gradient (\a -> sum (slice_nna 2 1 (replicate_nna m m a))) a

-- There is no rest by 0.
-- ==
-- entry: slice_2
-- input { 7i64 3i64 [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 3.7 [1.0, 1.0, 1.0, 1.0, 2.0, 1.0] }
-- input { 7i64 3i64 empty([0]f64) } error: [Dd]ivi
entry slice_2 [n] (p1: i64) (p2: i64) (a: [n]f64) : (f64, [n]f64) =
  gradient (\a -> let a1 = backpermute_1_3 n n (n + 1) (\i j k -> (i + j + k) % n) a
                  in sum (slice_nna (p1 % n) (p2 % n) a1)) a

-- An odd number of elements has no two rows.
-- ==
-- entry: reshape_1
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { -1.175 [4.7, 4.7, 4.7, -0.25, -0.25, -0.25] }
-- input { empty([0]f64) } output { 0.0 empty([0]f64) }
-- input { [1.0] } error: 1
entry reshape_1 [n] (a: [n]f64) : (f64, [n]f64) =
  gradient (\a -> product (sum_2d (reshape_1_2 2 (n / 2) a))) a

-- ==
-- entry: reshape_2
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 4.45 [1.0, 1.0, 1.0, 1.0, 1.0, 1.0] }
-- input { empty([0]f64) } output { 0.0 empty([0]f64) }
entry reshape_2 [n] (a: [n]f64) : (f64, [n]f64) =
  gradient (\a -> sum (product_2d (reshape_2_2 n 1 (reshape_1_2 2 (n / 2) a)))) a

-- ==
-- entry: backpermute_1
-- input { 5i64 [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 38.1 [8.0, 8.0, 8.0, 9.0, 9.0, 8.0] }
-- input { 5i64 empty([0]f64) } error: [Dd]ivi
entry backpermute_1 [n] (m: i64) (a: [n]f64) : (f64, [n]f64) =
  gradient (\a -> fold1All_2d (+) (backpermute_1_2 m (2 * m) (\i j -> (i + j) % n) a)) a

-- ==
-- entry: backpermute_2
-- input { 5i64 [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 22.25 [5.0, 5.0, 5.0, 5.0, 5.0, 5.0] }
entry backpermute_2 [n] (m: i64) (a: [n]f64) : (f64, [n]f64) =
  gradient (\a -> let b = backpermute_1_2 m (2 * m) (\i j -> (i + j) % n) a
                  let c = sum_2d b
                  let d = backpermute_1_3 2 3 m (\_ i j -> i64.min (m - 1) (i * j)) c
                  in fold1All_2d (+) (slice_aan 2 (map (map (map (/ 2))) d))) a
