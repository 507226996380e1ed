-- A28 (digest 001): a branch that is not taken contributes nothing, be its derivative infinite or not a number. By hand.
-- ==
-- entry: root
-- input { [0.0, 4.0, -1.0] } output { [0.0, 2.0, 0.0] [0.0, 0.25, 0.0] }
entry root [n] (xs: [n]f64): ([n]f64, [n]f64) = vjp2 (map (\x -> if x > 0 then f64.sqrt x else 0)) xs (replicate n 1)

-- The length of a vector and its direction, none of nothing: of (3, 4) 5 and (0.6, 0.8).
-- ==
-- entry: norm
-- input { [3.0, 4.0] } output { 5.0 [0.6, 0.8] [0.6, 0.8] }
-- input { [0.0, 0.0] } output { 0.0 [0.0, 0.0] [0.0, 0.0] }
def f [n] (xs: [n]f64): f64 = let s = f64.sum (map (\x -> x * x) xs) in if s == 0 then 0 else f64.sqrt s

entry norm [n] (xs: [n]f64): (f64, [n]f64, [n]f64) =
  (f xs, vjp f xs 1, tabulate n (\i -> jvp f xs (tabulate n (\j -> f64.bool (i == j)))))
