-- An expression that is a size calls a function whose result has an unknown size. By hand: 1 + 2 = 3 are positive numbers' sum, so `iota 3`, plus 1 each.
-- 0.25.32 accepts it.
-- ==
-- input { [1i64, 2] } output { [1i64, 2, 3] }
def pos (x: i64) = x > 0
def f [n] (xs: [n]i64) = iota (i64.sum (filter pos xs))
entry main (ys: []i64) = map (+ 1) (f ys)
