-- Digest 001, §2.4: programs of van den Haak et al.'s tests, with their names, each with its gradient. Expected: the digest, for its input a,
-- and, where it says so, for -a, so that the other branches run; of no elements by hand.
-- The tests with names that end in "friendly" are the same programs on random inputs far from a step; a is one.
import "lib/accelerate"

def gradient [n] (f: [n]f64 -> f64) (a: [n]f64) : (f64, [n]f64) = vjp2 f a 1

-- Its name is map there.
-- ==
-- entry: map_3
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 13.35 [3.0, 3.0, 3.0, 3.0, 3.0, 3.0] }
-- input { empty([0]f64) } output { 0.0 empty([0]f64) }
entry map_3 [n] (a: [n]f64) : (f64, [n]f64) =
  gradient (\a -> sum (map (* 3) a)) a

-- Arrays of different lengths: what is left over has the gradient 0. Its name is zipWith there.
-- ==
-- entry: zip_with
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] [0.5, 1.25, 2.0, 1.75] } output { -1.250278703259856 [-0.9899924966004454, -0.9941296760805463, -0.9364566872907963, -0.3857479374522218, 0.0, 0.0] [-0.9337875292454091, -0.6547260192379074, -0.26015492537182694, -0.10375094090136486] }
-- input { [1.0] empty([0]f64) } output { 0.0 [0.0] empty([0]f64) }
entry zip_with [n][m] (a: [n]f64) (b: [m]f64) : (f64, [n]f64, [m]f64) =
  let (y, (a', b')) = vjp2 (\(a, b) -> sum (zipWith (\x y -> f64.sin x * f64.cos (x + y)) a b)) (a, b) 1
  in (y, a', b')

-- ==
-- entry: fold_1
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 11.3115234375 [9.04921875, -5.02734375, 15.08203125, 3.48046875, -15.08203125, 5.1416015625] }
-- input { empty([0]f64) } output { 1.0 empty([0]f64) }
entry fold_1 [n] (a: [n]f64) : (f64, [n]f64) =
  gradient (fold (*) 1) a

-- The start is not neutral.
-- ==
-- entry: fold_2
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 3.25 [0.0, 0.0, 0.0, 1.0, 0.0, 0.0] }
-- input { [-1.25, 2.25, -0.75, -3.25, 0.75, -2.2] } output { 3.0 [0.0, 0.0, 0.0, 0.0, 0.0, 0.0] }
-- input { empty([0]f64) } output { 3.0 empty([0]f64) }
entry fold_2 [n] (a: [n]f64) : (f64, [n]f64) =
  gradient (fold f64.max 3) a

-- ==
-- entry: fold_3
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 10.45 [1.0, -1.0, 1.0, 1.0, -1.0, 1.0] }
-- input { empty([0]f64) } output { 0.0 empty([0]f64) }
entry fold_3 [n] (a: [n]f64) : (f64, [n]f64) =
  let magnitude v = if v < 0 then -v else v
  in gradient (fold (\x y -> magnitude x + magnitude y) 0) a

-- ==
-- entry: fold1_1
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 11.3115234375 [9.04921875, -5.02734375, 15.08203125, 3.48046875, -15.08203125, 5.1416015625] }
-- input { empty([0]f64) } error: out of bounds
entry fold1_1 [n] (a: [n]f64) : (f64, [n]f64) =
  gradient (fold1 (*)) a

-- Of -a the largest is 2.25, by hand.
-- ==
-- entry: fold1_2
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 3.25 [0.0, 0.0, 0.0, 1.0, 0.0, 0.0] }
-- input { [-1.25, 2.25, -0.75, -3.25, 0.75, -2.2] } output { 2.25 [0.0, 1.0, 0.0, 0.0, 0.0, 0.0] }
entry fold1_2 [n] (a: [n]f64) : (f64, [n]f64) =
  gradient (fold1 f64.max) a

-- Of 1000 and 1000 it is 1000 + log 2, each half of the reason.
-- ==
-- entry: logsumexp1
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 3.7135833390311306 [0.08512935642431833, 0.002570683816440353, 0.0516335647129537, 0.6290255902851505, 0.011521005563435674, 0.22011979919770142] }
-- input { [1000.0, 1000.0] } output { 1000.6931471805599 [0.5, 0.5] }
entry logsumexp1 [n] (a: [n]f64) : (f64, [n]f64) =
  gradient (\a -> let m = maximum a
                  let s = zipWith (-) a (replicate_n n m)
                  in f64.log (sum (map f64.exp s)) + m) a

-- ==
-- entry: logsumexp2
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 0.4635833390311306 [0.08512935642431833, 0.002570683816440353, 0.0516335647129537, -0.3709744097148495, 0.011521005563435674, 0.22011979919770142] }
entry logsumexp2 [n] (a: [n]f64) : (f64, [n]f64) =
  gradient (\a -> let m = maximum a
                  let s = zipWith (-) a (replicate_n n m)
                  in f64.log (sum (map f64.exp s))) a

-- Of -a the largest is 2.25, by hand.
-- ==
-- entry: logsumexp3
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 6.5 [0.0, 0.0, 0.0, 2.0, 0.0, 0.0] }
-- input { [-1.25, 2.25, -0.75, -3.25, 0.75, -2.2] } output { 4.5 [0.0, 2.0, 0.0, 0.0, 0.0, 0.0] }
entry logsumexp3 [n] (a: [n]f64) : (f64, [n]f64) =
  gradient (\a -> let m = maximum a in m + m) a
