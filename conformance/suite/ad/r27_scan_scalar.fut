-- R27 (digest 002, 5.2): scans of numbers. Expected: the digest's for (*) with ones, the others by hand.
-- ==
-- entry: product
-- input { [2.0, 3.0, 4.0] [1.0, 1.0, 1.0] }    output { [16.0, 10.0, 6.0] }
-- input { [2.0, 3.0, 4.0] [1.0, 10.0, 100.0] } output { [1231.0, 820.0, 600.0] }
-- input { [2.0, 0.0, 4.0] [1.0, 10.0, 100.0] } output { [1.0, 820.0, 0.0] }
-- input { [7.0] [3.0] } output { [3.0] }
-- input { empty([0]f64) empty([0]f64) } output { empty([0]f64) }
entry product [n] (xs: [n]f64) (adj: [n]f64): [n]f64 = vjp (scan (*) 1) xs adj

-- x + y + x y: with P the prefix products of 1 + x, [2, 6, 24], it is P - 1; by x the sum of adjoint P from there on, over 1 + x:
-- (2 + 60 + 2400) / 2, (60 + 2400) / 3, 2400 / 4.
-- ==
-- entry: other
-- input { [1.0, 2.0, 3.0] [1.0, 10.0, 100.0] } output { [1.0, 5.0, 23.0] [1231.0, 820.0, 600.0] }
-- input { [1.0, 2.0, 3.0] [1.0, 1.0, 1.0] }    output { [1.0, 5.0, 23.0] [16.0, 10.0, 6.0] }
entry other [n] (xs: [n]f64) (adj: [n]f64): ([n]f64, [n]f64) = vjp2 (scan (\x y -> x + y + x * y) 0) xs adj

-- A free variable k, itself and in an array: the prefixes of [1, 2, 3] are x, x + y + k x y, e1 + k e2 + k^2 e3: at k = 0.5 1, 4, 13; their
-- sum by k: x y + (11 + 2 k 6) = 19. With P = 1.5, 3, 7.5 by x: 12 / 1.5, 10.5 / 2, 7.5 / 2.5.
-- ==
-- entry: free
-- input { 0.5 [1.0, 2.0, 3.0] } output { [1.0, 4.0, 13.0] 19.0 [8.0, 5.25, 3.0] }
entry free [n] (k: f64) (xs: [n]f64): ([n]f64, f64, [n]f64) =
  let (y, (k', xs')) = vjp2 (\(k, xs) -> scan (\x y -> x + y + k * x * y) 0 xs) (k, xs) (replicate n 1)
  in (y, k', xs')

-- ==
-- entry: free_array
-- input { [7.0, 0.5] [1.0, 2.0, 3.0] } output { [1.0, 4.0, 13.0] [0.0, 19.0] [8.0, 5.25, 3.0] }
entry free_array [m] [n] (ks: [m]f64) (xs: [n]f64): ([n]f64, [m]f64, [n]f64) =
  let (y, (ks', xs')) = vjp2 (\(ks, xs) -> scan (\x y -> x + y + ks[1] * x * y) 0 xs) (ks, xs) (replicate n 1)
  in (y, ks', xs')

-- The largest and the smallest so far.
-- ==
-- entry: extremes
-- input { [2.0, 1.0, 3.0, 0.0] [1.0, 10.0, 100.0, 1000.0] } output { [11.0, 0.0, 1100.0, 0.0] [1.0, 110.0, 0.0, 1000.0] }
entry extremes [n] (xs: [n]f64) (adj: [n]f64): ([n]f64, [n]f64) =
  (vjp (scan f64.max (-f64.inf)) xs adj, vjp (scan f64.min f64.inf) xs adj)

-- Second derivatives of (a, a b, a b c), summed: the gradient is (1 + b + b c, a + a c, a b); its vjp with ones: (1 + c + b, 1 + c + a, b +
-- a).
-- ==
-- entry: second_reverse second_forward second_both
-- input { [2.0, 3.0, 4.0] } output { [8.0, 7.0, 5.0] }
-- input { [2.0, 0.0, 4.0] } output { [5.0, 7.0, 2.0] }
entry second_reverse [n] (xs: [n]f64): [n]f64 = vjp (\xs -> vjp (scan (*) 1) xs (replicate n 1)) xs (replicate n 1)

entry second_forward [n] (xs: [n]f64): [n]f64 = jvp (\xs -> vjp (scan (*) 1) xs (replicate n 1)) xs (replicate n 1)

entry second_both [n] (xs: [n]f64): [n]f64 = vjp (\xs -> f64.sum (jvp (scan (*) 1) xs (replicate n 1))) xs 1
