-- An expression that is a size calls a function whose result has the size of its argument. By hand: `f 3` is `iota (0 + 1 + 2)`. 0.25.32 accepts it.
-- ==
-- input { 3i64 } output { [1i64, 2, 3] }
def f (k: i64) = iota (i64.sum (iota k))
entry main (m: i64) = map (+ 1) (f m)
