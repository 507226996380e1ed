-- The names in the types of an expression that is a size are known where it is computed again: n, of the comparison of arrays. By hand: [1, 2] is equal to
-- itself, so that `f` gives `iota 2`. 0.25.32 accepts it.
-- ==
-- input { [1i64, 2] } output { [1i64, 2] }
def f [n] (xs: [n]i64) (ys: [n]i64) = iota (if xs == ys then 2 else 1)
entry main (ys: []i64) = map (+ 1) (f ys (copy ys))
