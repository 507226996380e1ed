-- A6 (digest 002): second derivatives through each construct, by reverse of reverse, forward of reverse, reverse of forward and forward of
-- forward. Each function is differentiated in the direction of ones: the product of the Hessian with ones, by hand. (Where fourth
-- derivatives would take long, the harness differentiates no further.)
def ones (n: i64): [n]f64 = replicate n 1

def reverse_reverse [n] (f: [n]f64 -> f64) (xs: [n]f64): [n]f64 = vjp (\xs -> vjp f xs 1) xs (ones n)

def forward_reverse [n] (f: [n]f64 -> f64) (xs: [n]f64): [n]f64 = jvp (\xs -> vjp f xs 1) xs (ones n)

def reverse_forward [n] (f: [n]f64 -> f64) (xs: [n]f64): [n]f64 = vjp (\xs -> jvp f xs (ones n)) xs 1

-- Symmetric, so that rows are columns.
def forward_forward [n] (f: [n]f64 -> f64) (xs: [n]f64): [n]f64 =
  tabulate n (\i -> jvp (\xs -> jvp f xs (ones n)) xs (tabulate n (\j -> f64.bool (i == j))))

def all [n] (f: [n]f64 -> f64) (xs: [n]f64): [4][n]f64 =
  [reverse_reverse f xs, forward_reverse f xs, reverse_forward f xs, forward_forward f xs]

-- Sum of x^3: 6 x.
-- ==
-- entry: mapped
-- input { [1.0, -2.0] } output { [[6.0, -12.0], [6.0, -12.0], [6.0, -12.0], [6.0, -12.0]] }
entry mapped [n] (xs: [n]f64) = all (\xs -> f64.sum (map (\x -> x * x * x) xs)) xs

-- The square of the sum of x^2, s^2: gradient 4 s x, Hessian 4 s I + 8 x x': 4 s + 8 x (sum of x). [1, 2]: s = 5, 20 + 24 x.
-- ==
-- entry: with_free
-- input { [1.0, 2.0] } output { [[44.0, 68.0], [44.0, 68.0], [44.0, 68.0], [44.0, 68.0]] }
entry with_free [n] (xs: [n]f64) =
  all (\xs -> let s = f64.sum (map (\x -> x * x) xs) in f64.sum (map (\x -> s * x * x) xs)) xs

-- a b c: (b + c, a + c, a + b), by a product, by an operator that is none of the special ones: x + y + x y is (1 + x) (1 + y) (1 + z) - 1,
-- the same of 1 + x.
-- ==
-- entry: product
-- no_derivative input { [2.0, 0.0, 5.0] } output { [[5.0, 7.0, 2.0], [5.0, 7.0, 2.0], [5.0, 7.0, 2.0], [5.0, 7.0, 2.0]] }
entry product [n] (xs: [n]f64) = all f64.product xs

-- ==
-- entry: general
-- no_derivative input { [1.0, -1.0, 4.0] } output { [[5.0, 7.0, 2.0], [5.0, 7.0, 2.0], [5.0, 7.0, 2.0], [5.0, 7.0, 2.0]] }
entry general [n] (xs: [n]f64) = all (reduce (\x y -> x + y + x * y) 0) xs

-- The largest square: twice at its place.
-- ==
-- entry: largest
-- input { [1.0, -3.0, 2.0] } output { [[0.0, 2.0, 0.0], [0.0, 2.0, 0.0], [0.0, 2.0, 0.0], [0.0, 2.0, 0.0]] }
entry largest [n] (xs: [n]f64) = all (\xs -> f64.maximum (map (\x -> x * x) xs)) xs

-- Bins: (a b) and c, squared. (a b)^2: 2 b^2 + 4 a b, 2 a^2 + 4 a b; c^2: 2. By products, and by sums of logarithms.
-- ==
-- entry: by_index by_sums
-- no_derivative input { [2.0, 3.0, 5.0] } output { [[42.0, 32.0, 2.0], [42.0, 32.0, 2.0], [42.0, 32.0, 2.0], [42.0, 32.0, 2.0]] }
entry by_index (xs: [3]f64) = all (\(xs: [3]f64) -> f64.sum (map (\h -> h * h) (hist (*) 1 2 [0, 0, 1] xs))) xs

entry by_sums (xs: [3]f64) = all (\(xs: [3]f64) -> f64.sum (map (\h -> f64.exp (2 * h)) (hist (+) 0 2 [0, 0, 1] (map f64.log xs)))) xs

-- 2 a is written over b, and 4 c over c: 2 a + 4 c, squared: gradient 2 s (2, 0, 4), Hessian times ones 2 * 6 (2, 0, 4).
-- ==
-- entry: scattered
-- input { [2.0, 3.0, 5.0] } output { [[24.0, 0.0, 48.0], [24.0, 0.0, 48.0], [24.0, 0.0, 48.0], [24.0, 0.0, 48.0]] }
entry scattered (xs: [3]f64) =
  all (\(xs: [3]f64) -> let s = f64.sum (scatter (copy xs) [1, 2, 0] [2 * xs[0], 4 * xs[2], 0]) in s * s) xs

-- x1 := x1^2 x0 in place, twice: x1^4 x0^3. Hessian: x0 x0: 6 x0 x1^4, x0 x1: 12 x0^2 x1^3, x1 x1: 12 x0^3 x1^2. At (1, 2): 96 + 96, 96 +
-- 48. By a for and a while loop, and strip-mined.
-- ==
-- entry: for_loop while_loop mined
-- no_derivative input { [1.0, 2.0] } output { [[192.0, 144.0], [192.0, 144.0], [192.0, 144.0], [192.0, 144.0]] }
entry for_loop (xs: [2]f64) =
  all (\(xs: [2]f64) -> (loop xs = copy xs for _i < 2 do xs with [1] = xs[1] * xs[1] * xs[0])[1]) xs

entry while_loop (xs: [2]f64) =
  all (\(xs: [2]f64) -> (loop (xs, i) = (copy xs, 0) while i < 2 do (xs with [1] = xs[1] * xs[1] * xs[0], i + 1)).0[1]) xs

entry mined (xs: [2]f64) =
  all (\(xs: [2]f64) -> (#[stripmine(2)] loop xs = copy xs for _i < 2 do xs with [1] = xs[1] * xs[1] * xs[0])[1]) xs

-- The sum of x^3 where x > 0, of x^2 elsewhere: 6 x, 2.
-- ==
-- entry: branches
-- input { [2.0, -3.0] } output { [[12.0, 2.0], [12.0, 2.0], [12.0, 2.0], [12.0, 2.0]] }
entry branches [n] (xs: [n]f64) = all (\xs -> f64.sum (map (\x -> if x > 0 then x * x * x else x * x) xs)) xs

-- Prefix sums squared, of [a, b]: a^2 + (a + b)^2: 2 + 4, 4. Linear recurrences: (a b + b): 1, 1.
-- ==
-- entry: scanned
-- input { [2.0, 3.0] } output { [[6.0, 4.0], [6.0, 4.0], [6.0, 4.0], [6.0, 4.0]] }
entry scanned [n] (xs: [n]f64) = all (\xs -> f64.sum (map (\x -> x * x) (scan (+) 0 xs))) xs

-- (a, b) -> (a a, a b + b) from [a, b] twice: u = b, then u a + b: the sum a b + 2 b.
-- ==
-- entry: recurrence
-- no_derivative input { [2.0, 3.0] } output { [[1.0, 1.0], [1.0, 1.0], [1.0, 1.0], [1.0, 1.0]] }
entry recurrence (xs: [2]f64) =
  all (\(xs: [2]f64) ->
         let op (a, b) (c, d) = (a * c, b * c + d)
         in f64.sum (unzip (scan op (1, 0) (replicate 2 (xs[0], xs[1])))).1) xs

-- An accumulator: x^2 at [0, 0, 1], squared: (a^2 + b^2)^2 + c^4: 4 s + 8 a (a + b), 12 c^2. At (1, 2, 1): 20 + 24, 20 + 48, 12.
-- ==
-- entry: accumulated
-- no_derivative input { [1.0, 2.0, 1.0] } output { [[44.0, 68.0, 12.0], [44.0, 68.0, 12.0], [44.0, 68.0, 12.0], [44.0, 68.0, 12.0]] }
entry accumulated (xs: [3]f64) =
  let f (xs: [3]f64): f64 =
    let hs: [2]f64 =
      reduce_by_index_stream (replicate 2 0) (+) 0 (\(acc: *acc ([2]f64)) (i, x) -> write acc i (x * x)) (zip [0, 0, 1] xs)
    in f64.sum (map (\h -> h * h) hs)
  in all f xs

-- Third derivatives of a b c, in three directions of ones: each pair of others has 1, twice: (2, 2, 2).
-- ==
-- entry: third
-- no_derivative input { [2.0, 0.0, 5.0] } output { [2.0, 2.0, 2.0] [2.0, 2.0, 2.0] }
entry third [n] (xs: [n]f64): ([n]f64, [n]f64) =
  (vjp (reverse_reverse f64.product) xs (ones n), jvp (forward_reverse f64.product) xs (ones n))

-- Elements 2, 0, 2 with the weights 1, 2, 3: c + 2 a + 3 c, squared: Hessian times ones 2 * 6 (2, 0, 4).
-- ==
-- entry: gathered
-- input { [2.0, 3.0, 5.0] } output { [[24.0, 0.0, 48.0], [24.0, 0.0, 48.0], [24.0, 0.0, 48.0], [24.0, 0.0, 48.0]] }
entry gathered (xs: [3]f64) =
  all (\(xs: [3]f64) -> let s = f64.sum (map2 (\i k -> k * xs[i]) [2, 0, 2] [1, 2, 3]) in s * s) xs

-- A loop in a map that reads a diagonal: the derivative by a of the gradient by a. From Futhark 0.25.32.
-- ==
-- entry: diagonal
-- input { [0.5, 0.25] [[1.0, 2.0], [3.0, 4.0]] [1.0, 1.0] } output { [-1.213024911433083, 0.0] }
entry diagonal [n] (a: [n]f64) (m: [n][n]f64) (seed: [n]f64) =
  let f (a: [n]f64, m: [n][n]f64) = f64.sum (map (\i -> 0.5 * (loop s = 0 for _j < 3 do f64.cos (s + a[0]) + m[i, i])) (iota n))
  in vjp (\a -> (vjp f (a, m) 1).0) a seed
