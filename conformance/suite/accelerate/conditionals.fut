-- Digest 001, §2.4: programs of van den Haak et al.'s tests, with their names, each with its gradient. Expected: the digest, for its input a,
-- and, where it says so, for -a, so that the other branches run; of no elements by hand.
-- The tests with names that end in "friendly" are the same programs on random inputs far from a step; a is one.
import "lib/accelerate"

def gradient [n] (f: [n]f64 -> f64) (a: [n]f64) : (f64, [n]f64) = vjp2 f a 1

-- ==
-- entry: acond_0
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 4.45 [1.0, 1.0, 1.0, 1.0, 1.0, 1.0] }
-- input { [-1.25, 2.25, -0.75, -3.25, 0.75, -2.2] } output { -8.9 [2.0, 2.0, 2.0, 2.0, 2.0, 2.0] }
-- input { empty([0]f64) } output { 0.0 empty([0]f64) }
entry acond_0 [n] (a: [n]f64) : (f64, [n]f64) =
  gradient (\a -> sum (if sum a > 0 then a else map (* 2) a)) a

-- ==
-- entry: acond_0a
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 8.9 [2.0, 2.0, 2.0, 2.0, 2.0, 2.0] }
-- input { [-1.25, 2.25, -0.75, -3.25, 0.75, -2.2] } output { -4.45 [1.0, 1.0, 1.0, 1.0, 1.0, 1.0] }
entry acond_0a [n] (a: [n]f64) : (f64, [n]f64) =
  gradient (\a -> sum (if sum a > 0 then map (* 2) a else a)) a

-- ==
-- entry: acond_1
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 53.4 [12.0, 12.0, 12.0, 12.0, 12.0, 12.0] }
-- input { [-1.25, 2.25, -0.75, -3.25, 0.75, -2.2] } output { -53.4 [12.0, 12.0, 12.0, 12.0, 12.0, 12.0] }
-- input { empty([0]f64) } output { 0.0 empty([0]f64) }
entry acond_1 [n] (a: [n]f64) : (f64, [n]f64) =
  gradient (\a -> let b = map (* 2) a
                  let (a1, _) = if sum a > 0 then (a, b) else (b, a)
                  in sum (map (\x -> x * f64.i64 (length a1)) b)) a

-- A branch uses what is used beside it as well.
-- ==
-- entry: acond_2a
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 176.32 [18.0, -38.0, 10.0, 50.0, -14.0, 33.2] }
-- input { [-1.25, 2.25, -0.75, -3.25, 0.75, -2.2] } output { 83.71 [-8.0, 20.0, -4.0, -24.0, 8.0, -15.6] }
-- input { empty([0]f64) } output { 0.0 empty([0]f64) }
entry acond_2a [n] (a: [n]f64) : (f64, [n]f64) =
  gradient (\a -> let b = map (* 2) a
                  let y = if sum a <= 2 then map (+ 1) b else map (\x -> x - 1) (map (* 2) b)
                  in sum (zipWith (*) b y)) a

-- ==
-- entry: acond_2b
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 176.32 [18.0, -38.0, 10.0, 50.0, -14.0, 33.2] }
-- input { [-1.25, 2.25, -0.75, -3.25, 0.75, -2.2] } output { 83.71 [-8.0, 20.0, -4.0, -24.0, 8.0, -15.6] }
-- input { empty([0]f64) } output { 0.0 empty([0]f64) }
entry acond_2b [n] (a: [n]f64) : (f64, [n]f64) =
  gradient (\a -> let b = map (* 2) a
                  let y = if sum a <= 2 then map (+ 1) b else map (\x -> x - 1) (map (* 2) b)
                  in sum (zipWith (*) y b)) a

-- Only the branch that is not taken contributes.
-- ==
-- entry: acond_3a
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 42.0 [0.0, 0.0, 0.0, 0.0, 0.0, 0.0] }
-- input { empty([0]f64) } output { 42.0 empty([0]f64) }
entry acond_3a [n] (a: [n]f64) : (f64, [n]f64) =
  gradient (\(a: [n]f64) -> sum (if true then generate 1 (\_ -> 42) else a)) a

-- ==
-- entry: acond_3b
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 42.0 [0.0, 0.0, 0.0, 0.0, 0.0, 0.0] }
-- input { empty([0]f64) } output { 42.0 empty([0]f64) }
entry acond_3b [n] (a: [n]f64) : (f64, [n]f64) =
  gradient (\a -> if n >= 0 then 42 else sum (map (* 2) a) + sum (map (+ 3) a)) a

-- The sums are 4.45 and -4.45: index 4, and no element at -4.
-- ==
-- entry: aindex_acond
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { -0.75 [0.0, 0.0, 0.0, 0.0, 1.0, 0.0] }
-- input { [-1.25, 2.25, -0.75, -3.25, 0.75, -2.2] } output { 0.0 [0.0, 0.0, 0.0, 0.0, 0.0, 0.0] }
-- input { empty([0]f64) } output { 0.0 empty([0]f64) }
entry aindex_acond [n] (a: [n]f64) : (f64, [n]f64) =
  gradient (\a -> let s = i64.f64 (f64.round (sum a))
                  in sum (if 0 <= s && s < n then generate 1 (\_ -> a[s]) else generate 1 (\_ -> 0))) a

-- Any other branch than the right one would be out of bounds.
-- ==
-- entry: acond_cond1
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 39.75 [3.0, 3.0, 3.0, 3.0, 3.0, 15.0] }
-- input { [-1.25, 2.25, -0.75, -3.25, 0.75, -2.2] } output { -16.55 [3.0, 4.0, 4.0, 4.0, 4.0, 4.0] }
entry acond_cond1 [n] (a: [n]f64) : (f64, [n]f64) =
  gradient (\a -> let b = map (* 2) a
                  let sigmoid x = 1 / (1 + f64.exp (-x))
                  let idx = i64.f64 (f64.floor (sigmoid (sum a) * (f64.i64 (2 * n) - 0.01)))
                  in sum (if idx < n
                          then generate (2 * n) (\i -> if i <= idx then a[i] else b[(i - idx) / 2])
                          else generate (2 * n) (\i -> a[idx - n] + (if i >= n then b[i - n] else a[i])))) a
