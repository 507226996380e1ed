-- Gradients whose points add to places of an array that follow from their indices, and of which some coincide. Hand calculation; Futhark 0.25.32 gives the same.

-- The places i - i / 2 are 0, 1, 1, 2, 2, 3.
-- ==
-- entry: halves
-- input { [1.0, 2.0, 3.0, 4.0] 6i64 } output { [1.0, 2.0, 2.0, 1.0] }
entry halves [n] (xs: [n]f64) (m: i64): [n]f64 =
  vjp (\xs -> f64.sum (tabulate m (\i -> xs[i - i / 2]))) xs 1

def four (f: i64 -> f64) (k: i64) (o: i64) = f o + f (o + k) + f (o + 2 * k) + f (o + 3 * k)

-- Each point reads 65 places of its own, from 10 on, and place i / 2, before them or behind them: of four points two read 0, two 1.
-- ==
-- entry: first
-- input { 4i64 } output { [2.0, 2.0, 0.0, 1.0, 1.0] }
entry first (m: i64): [5]f64 =
  let f (xs: [600]f64) (i: i64) = xs[i / 2] + four (four (four (\k -> xs[128 * i + k]) 1) 4) 16 10 + xs[128 * i + 74]
  let g = vjp (\xs -> f64.sum (tabulate m (f xs))) (replicate 600 1) 1
  in [g[0], g[1], g[2], g[10], g[128 * 3 + 74]]

-- ==
-- entry: last
-- input { 4i64 } output { [2.0, 2.0, 0.0, 1.0, 1.0] }
entry last (m: i64): [5]f64 =
  let f (xs: [600]f64) (i: i64) = four (four (four (\k -> xs[128 * i + k]) 1) 4) 16 10 + xs[128 * i + 74] + xs[i / 2]
  let g = vjp (\xs -> f64.sum (tabulate m (f xs))) (replicate 600 1) 1
  in [g[0], g[1], g[2], g[10], g[128 * 3 + 74]]
