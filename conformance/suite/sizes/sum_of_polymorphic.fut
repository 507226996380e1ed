-- A part of a sum as a size is computed again at the types of the call. By hand: `count` is 2, so `f` gives `iota 3`. 0.25.32 accepts it.
-- ==
-- input { [true, false] } output { [1i64, 2, 3] }
def count 'a [n] (_: [n]a) = n
def f 'a [n] (xs: [n]a) = iota (count xs + 1)
entry main (ys: []bool) = map (+ 1) (f ys)
