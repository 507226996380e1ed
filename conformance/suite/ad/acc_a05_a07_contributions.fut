-- A5, A6, A7 (digest 001, 5.2; 1.12, 2.4): sharing, what is not used, integers. Expected: the digest's golden values, for its input a, and
-- where they are said to be so, by hand. Each entry point gives the value, the gradient in reverse mode, and the same from forward mode.

def both [n] (f: [n]f64 -> f64) (a: [n]f64) : (f64, [n]f64, [n]f64) =
  let unit i = map (\j -> f64.bool (i == j)) (iota n)
  let (y, gradient) = vjp2 f a 1
  in (y, gradient, map (jvp f a) (map unit (iota n)))

-- A5, example 3.4.3: b is used twice, once by index.
-- ==
-- entry: shared
-- input { [0.4, 0.7, 0.1, 1.0] } output { 12.51 [7.2, 4.5, 9.9, 18.0] [7.2, 4.5, 9.9, 18.0] }
-- input { empty([0]f64) } output { 0.0 empty([0]f64) empty([0]f64) }
entry shared [n] (a: [n]f64) =
  both (\a ->
          let b = map (* 3) a
          in f64.sum (map (\x -> x * b[i64.f64 (f64.round x)]) b))
       a

-- A5, example 3.3.1: 3 x^2 + 2 x.
-- ==
-- entry: contributions
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] }
-- output { 58.69112 [7.1875, 10.6875, 3.1875, 38.1875, 0.1875, 18.92] [7.1875, 10.6875, 3.1875, 38.1875, 0.1875, 18.92] }
entry contributions [n] (a: [n]f64) =
  both (\a -> f64.sum (map2 (*) (map (\x -> x * x) a) (map (+ 1) a))) a

-- A6: a_ignore_argument, ignore_argument, and a let that nothing uses.
-- ==
-- entry: ignored
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 42.0 [0.0, 0.0, 0.0, 0.0, 0.0, 0.0] [0.0, 0.0, 0.0, 0.0, 0.0, 0.0] }
entry ignored [n] (a: [n]f64) = both (\_ -> 42) a

-- ==
-- entry: ignored_elements
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 252.0 [0.0, 0.0, 0.0, 0.0, 0.0, 0.0] [0.0, 0.0, 0.0, 0.0, 0.0, 0.0] }
entry ignored_elements [n] (a: [n]f64) =
  both (\a -> f64.sum (map (\_ -> 42) a)) a

-- ==
-- entry: unused_let
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 1.25 [1.0, 0.0, 0.0, 0.0, 0.0, 0.0] [1.0, 0.0, 0.0, 0.0, 0.0, 0.0] }
entry unused_let (a: [6]f64) =
  both (\(a: [6]f64) -> let _ = f64.product (map f64.sin a) in a[0]) a

-- A7: a number that is rounded has no derivative; nonfloat_lam: what it is multiplied by has one. By hand the first: 1 - 2 + 1 + 3 - 1 + 2.
-- ==
-- entry: rounded
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] } output { 4.0 [0.0, 0.0, 0.0, 0.0, 0.0, 0.0] [0.0, 0.0, 0.0, 0.0, 0.0, 0.0] }
entry rounded [n] (a: [n]f64) =
  both (\a -> f64.sum (map (\x -> f64.i64 (i64.f64 (f64.round x))) a)) a

-- ==
-- entry: integers_and_floats
-- input { [1.25, -2.25, 0.75, 3.25, -0.75, 2.2] }
-- output { 5.160816 [0.315322, 1.25635, 0.731689, -2.98239, -0.731689, -1.177] [0.315322, 1.25635, 0.731689, -2.98239, -0.731689, -1.177] }
entry integers_and_floats [n] (a: [n]f64) =
  both (\a ->
          let b = map (\x -> (i64.f64 (f64.round x), f64.sin x)) a
          in f64.sum (map (\(i, x) -> f64.i64 i * x) b))
       a
