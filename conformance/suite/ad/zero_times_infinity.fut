-- Along a path zero times anything is zero (docs/zero-times-infinity.md), in both modes. The values are products of the partial derivatives, by hand; the comments say which.
def both f (x: f64) : (f64, f64) = (jvp f x 1.0, vjp f x 1.0)

-- 1 * r * r + ..., with r = 0, times an infinite partial of the root: 0, though the limit is 1
-- ==
-- entry: cubes
-- input { 0.0 } output { 0.0 0.0 }
-- input { 8.0 } output { 1.0 1.0 }
entry cubes (x: f64) = both (\x -> let r = f64.cbrt x in r * r * r) x

-- the root's partial is infinite, and behind it stands the factor x - x
-- ==
-- entry: cancels
-- input { -0.5 } output { -0.5 -0.5 }
entry cancels (x: f64) = both (\x -> f64.sqrt ((x - x) * (x - x)) + x * x / 2.0) x

-- exp (-2000) is 0 in f64
-- ==
-- entry: underflows
-- input { 2000.0 } output { 0.0 0.0 }
entry underflows (a: f64) = both (\a -> f64.sqrt (f64.exp (-a))) a

-- log x + x / x at 0: -inf + 0 * inf
-- ==
-- entry: entropy
-- input { 0.0 } output { -f64.inf -f64.inf }
entry entropy (x: f64) = both (\x -> x * f64.log x) x

-- |x|, and its second derivative
-- ==
-- entry: size
-- input { 0.0 } output { 0.0 0.0 }
-- input { -3.0 } output { -1.0 -1.0 }
entry size (x: f64) = both (\x -> f64.sqrt (x * x)) x

-- (x^2)^2 would be 2; by the chain rule it is 0
-- ==
-- entry: second
-- input { 0.0 } output { 0.0 0.0 0.0 0.0 }
-- input { 3.0 } output { 2.0 2.0 2.0 2.0 }
def square (x: f64) = let r = f64.sqrt (x * x) in r * r
entry second (x: f64) =
  let j f = \x -> jvp f x 1.0
  let r f = \x -> vjp f x 1.0
  in (j (j square) x, j (r square) x, r (j square) x, r (r square) x)

-- Products with infinities, zeros and NaN: what stands before a factor is a number of the program's, inf * 0 = NaN, what stands behind it is multiplied on the way.
-- [inf, 3]: 3, inf. [1e200, 1e200, 1e-200]: 1e200 * 1e-200, twice; 1e200 * 1e200. [nan, 2]: 2, nan. [inf, 0, 3]: 0 * 3, inf * 3, nan. [0, inf]: inf, 0.
-- ==
-- entry: forward reverse
-- input { [f64.inf, 3.0] } output { [3.0, f64.inf] }
-- input { [1e200, 1e200, 1e-200] } output { [1.0, 1.0, f64.inf] }
-- input { [f64.nan, 2.0] } output { [2.0, f64.nan] }
-- input { [f64.inf, 0.0, 3.0] } output { [0.0, f64.inf, f64.nan] }
-- input { [0.0, f64.inf] } output { [f64.inf, 0.0] }
entry forward [n] (xs: [n]f64) : [n]f64 =
  tabulate n (\i -> jvp (reduce (*) 1.0) xs (tabulate n (\j -> f64.bool (i == j))))
entry reverse [n] (xs: [n]f64) : [n]f64 = vjp (reduce (*) 1.0) xs 1.0

-- The same by a loop, and the sum of a scan's results: [2, 0, inf] has the prefixes 2, 0, nan; only the first two are looked at.
-- ==
-- entry: looped
-- input { [f64.inf, 3.0] } output { [3.0, f64.inf] }
-- input { [0.0, f64.inf] } output { [f64.inf, 0.0] }
entry looped [n] (xs: [n]f64) : [n]f64 = vjp (\xs -> loop p = 1.0 for x in xs do p * x) xs 1.0

-- ==
-- entry: scanned
-- input { [2.0, 0.0, f64.inf] } output { [1.0, 2.0, 0.0] }
entry scanned (xs: [3]f64) : [3]f64 = vjp (\xs -> let ps = scan (*) 1.0 xs in ps[0] + ps[1]) xs 1.0
