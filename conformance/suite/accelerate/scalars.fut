-- Digest 001, §2.4: programs of van den Haak et al.'s tests, with their names, each with its gradient. Expected: the digest, for its input a,
-- and, where it says so, for -a, so that the other branches run; of no elements by hand.
-- The tests with names that end in "friendly" are the same programs on random inputs far from a step; a is one.
import "lib/accelerate"

def gradient [n] (f: [n]f64 -> f64) (a: [n]f64) : (f64, [n]f64) = vjp2 f a 1

-- ==
-- entry: cond_0
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 1.45 [1.0, 2.0, 1.0, 1.0, 2.0, 1.0] }
-- input { [-1.25, 2.25, -0.75, -3.25, 0.75, -2.2] } output { -11.9 [2.0, 1.0, 2.0, 2.0, 1.0, 2.0] }
-- input { empty([0]f64) } output { 0.0 empty([0]f64) }
entry cond_0 [n] (a: [n]f64) : (f64, [n]f64) =
  gradient (\a -> sum (map (\x -> if x > 0 then x else 2 * x) a)) a

-- ==
-- entry: cond_1
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 0.8660188 [0.0414812, 0.118574, 2.53777, -5.45562, -0.885687, 1.11993] }
entry cond_1 [n] (a: [n]f64) : (f64, [n]f64) =
  gradient (\a -> sum (map (\x -> 2 * (if x > 0 then f64.sin (x * x) else x * x * f64.exp x)) a)) a

-- ==
-- entry: cond_2
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 2.160635 [0.598472, 0.00786234, 0.997495, 0.12776, -0.0199823, -0.951602] }
entry cond_2 [n] (a: [n]f64) : (f64, [n]f64) =
  let fmod u v = u - f64.floor (u / v) * v
  let pi = f64.pi
  let wave x = if fmod x (2 * pi) < pi then f64.sin x
               else pi / 12 * ((2 - 2 / pi * fmod (x - pi / 2) (2 * pi)) ** 6 - 1)
  in gradient (\a -> sum (map (\x -> let y = wave x in y * y) a)) a

-- ==
-- entry: cond_3a
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 141.32 [12.0, -16.0, 8.0, 50.0, -4.0, 33.2] }
-- input { [-1.25, 2.25, -0.75, -3.25, 0.75, -2.2] } output { 94.96 [-8.0, 34.0, -4.0, -24.0, 8.0, -15.6] }
-- input { empty([0]f64) } output { 0.0 empty([0]f64) }
entry cond_3a [n] (a: [n]f64) : (f64, [n]f64) =
  gradient (\a -> sum (map (\x -> let u = 2 * x
                                  let v = if x <= 2 then u + 1 else 2 * u - 1
                                  in u * v) a)) a

-- ==
-- entry: cond_3b
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 141.32 [12.0, -16.0, 8.0, 50.0, -4.0, 33.2] }
-- input { [-1.25, 2.25, -0.75, -3.25, 0.75, -2.2] } output { 94.96 [-8.0, 34.0, -4.0, -24.0, 8.0, -15.6] }
-- input { empty([0]f64) } output { 0.0 empty([0]f64) }
entry cond_3b [n] (a: [n]f64) : (f64, [n]f64) =
  gradient (\a -> sum (map (\x -> let u = 2 * x
                                  let v = if x <= 2 then u + 1 else 2 * u - 1
                                  in v * u) a)) a

-- ==
-- entry: cond_4
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 72.9825 [12.0863, -1.05554, 7.4095, 17.281, 0.236183, 15.1596] }
-- input { [-1.25, 2.25, -0.75, -3.25, 0.75, -2.2] } output { 30.67407 [-2.00374, 15.2818, 0.236183, -0.427737, 7.4095, -1.10033] }
entry cond_4 [n] (a: [n]f64) : (f64, [n]f64) =
  gradient (\a -> sum (map (\x -> let u = if x >= 1 then f64.log x + 1
                                          else if x - 2 < -3 then f64.exp (x + 1) - 2
                                          else x
                                  let y = 2 * f64.exp u
                                  in u * (if u < -1 then u + y else y)) a)) a

-- ==
-- entry: ignore_argument
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 252.0 [0.0, 0.0, 0.0, 0.0, 0.0, 0.0] }
-- input { empty([0]f64) } output { 0.0 empty([0]f64) }
entry ignore_argument [n] (a: [n]f64) : (f64, [n]f64) =
  gradient (\a -> sum (map (\_ -> 42) a)) a

-- ==
-- entry: a_ignore_argument
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 42.0 [0.0, 0.0, 0.0, 0.0, 0.0, 0.0] }
-- input { empty([0]f64) } output { 42.0 empty([0]f64) }
entry a_ignore_argument [n] (a: [n]f64) : (f64, [n]f64) =
  gradient (\_ -> (generate 1 (\_ -> 42))[0]) a

-- An array of pairs of which only one part has a derivative.
-- ==
-- entry: nonfloat_lam
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 5.160816 [0.315322, 1.25635, 0.731689, -2.98239, -0.731689, -1.177] }
-- input { empty([0]f64) } output { 0.0 empty([0]f64) }
entry nonfloat_lam [n] (a: [n]f64) : (f64, [n]f64) =
  gradient (\a -> let b = map (\x -> (i64.f64 (f64.round x), f64.sin x)) a
                  in sum (map (\(i, x) -> f64.i64 i * x) b)) a
