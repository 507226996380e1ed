-- The sizes of what is nested are finished once each. By hand: `len (h m)` is 0 + m, so that the result is `iota 5`. 0.25.32 accepts it.
-- ==
-- entry: main
-- input { 5i64 } output { [0i64, 1, 2, 3, 4] }
def len [n] (xs: [n]i64) = i64.sum xs + n
def h (n: i64) : [n]i64 = replicate n 0
entry main (n: i64) = iota (len (h (len (h (len (h (len (h (len (h (len (h (len (h (len (h (len (h (len (h (len (h (len (h (len (h (len (h (n)))))))))))))))))))))))))))))
