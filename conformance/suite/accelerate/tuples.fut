-- Digest 001, §2.4: programs of van den Haak et al.'s tests, with their names, each with its gradient. Expected: the digest, for its input a,
-- and, where it says so, for -a, so that the other branches run; of no elements by hand.
import "lib/accelerate"

def gradient [n] (f: [n]f64 -> f64) (a: [n]f64) : (f64, [n]f64) = vjp2 f a 1

-- ==
-- entry: tuple1
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 49.95551 [3.59561, -7.07389, 4.1036, 19.5629, -4.1036, 6.49613] }
-- input { empty([0]f64) } output { 5.0 empty([0]f64) }
entry tuple1 [n] (a: [n]f64) : (f64, [n]f64) =
  gradient (\a -> let (b, _) = (map (* 2) a, map (+ 3) a)
                  let (a1, a2, a3) = (zipWith (\x y -> f64.sin x * y) b a, a, b)
                  in sum (zipWith (\(x, y) z -> x + y * z) (zipWith (\x y -> (x, y)) a1 a2) a3) + 5) a

-- ==
-- entry: tuple2
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] [0.5, 1.25, 2.0, 1.75] } output { 15.05612 [0.047619, 0.119048, 0.190476, 0.166667, 0.0, 0.0] [2.3961, 2.06277, 2.34848, 2.58658] }
entry tuple2 [n][m] (a: [n]f64) (b: [m]f64) : (f64, [n]f64, [m]f64) =
  let f (a, b) =
    let (a1, a2) = (b, zipWith (*) a b)
    let (b1, b2) = (zipWith (+) a2 b, a1)
    let (c1, c2) = (b2, zipWith (+) a1 b2)
    let (d1, d2) = (sum c2, sum b1)
    in f64.log (d2 * sum c1) + d1
  let (y, (a', b')) = vjp2 f (a, b) 1
  in (y, a', b')

-- Arrays of different ranks out of two conditionals: each branch of both is taken.
-- ==
-- entry: tuple3
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] [0.5, 1.25, 2.0, 1.75] } output { 19.5 [1.0, 1.0, 1.0, 1.0, 0.0, 0.0] [3.0, 3.0, 3.0, 3.0] }
-- input { [1.25, -2.25, 0.75, 3.25, -0.75] [0.5, 1.25, 2.0, 1.75] } output { 1.5 [0.0, 0.0, 0.0, 0.0, 0.0] [1.0, 0.0, 0.0, 0.0] }
-- input { [1.25, -2.25, 0.75] [-0.5, 1.25, 2.0, 1.75] } output { 16.5 [12.0, 2.0, 2.0] [1.0, 1.0, 1.0, 1.0] }
entry tuple3 [n][m] (a: [n]f64) (b: [m]f64) : (f64, [n]f64, [m]f64) =
  let f (a: [n]f64, b: [m]f64) : f64 =
    let (a1, a2) : ([][]f64, []f64) =
      if n % 3 == 0 then (replicate_an 3 b, a) else (generate_2d 1 2 (\i j -> f64.i64 (i + j)), b)
    let (b1, b2) : ([][]f64, []f64) =
      if (if length a1 > 0 then a1[0, 1] else 42) > 0 then (a1, a2)
      else (backpermute_1_2 4 4 (\i j -> i * j % length a2) a2, slice_an 0 a1)
    in sum (zipWith (+) b2 (sum_2d b1))
  let (y, (a', b')) = vjp2 f (a, b) 1
  in (y, a', b')

-- ==
-- entry: tuple4
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] [0.5, 1.25, 2.0, 1.75] } output { 325.7995 [294.693, -49.8309, 442.346, 158.398, -295.919, 199.054] [59.2363, 59.2363, 59.2363, 59.2363] }
entry tuple4 [n][m] (a: [n]f64) (b: [m]f64) : (f64, [n]f64, [m]f64) =
  let f (a, b) =
    let ((a1, s1, (s2, a2, ()), s3), a3) = ((b, sum a, (sum b, a, ()), sum a), b)
    in s1 * sum a3 + (sum a1 * product a2 + s2) * s3
  let (y, (a', b')) = vjp2 f (a, b) 1
  in (y, a', b')

-- A network of two hidden layers.
-- ==
-- entry: neural
-- input { 2i64 3i64 [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] [0.5, 1.25, 2.0, 1.75] } output { 0.784187389002559 [0.0012082558595634613, 0.0012082558595634613, 0.0012082558595634613, 0.0012082558595634613, 0.0012082558595634613, 0.0012082558595634613] [0.4745306195257739, 0.02208443463009808, 0.0, 0.007602848960208385] }
entry neural [n][m] (len1: i64) (len2: i64) (input: [n]f64) (weights: [m]f64) : (f64, [n]f64, [m]f64) =
  let pick i j seed = (i + j + j * j * seed) ** (1 + seed) % m
  let sigmoid x = 1 / (1 + f64.exp (-x))
  let mvmul [r][k] (m: [r][k]f64) (v: [k]f64) : [r]f64 = sum_2d (map2 (map2 (*)) m (replicate_na r v))
  let f (input, weights) =
    let w1 = backpermute_1_2 len1 n (\i j -> pick i j 1) weights
    let w2 = backpermute_1_2 len2 len1 (\i j -> pick i j 2) weights
    let w3 = backpermute len2 (\i -> pick 0 i 3) weights
    in sigmoid (sum (zipWith (*) w3 (map sigmoid (mvmul w2 (map sigmoid (mvmul w1 input))))))
  let (y, (input', weights')) = vjp2 f (input, weights) 1
  in (y, input', weights')
