-- A size consumes nothing, be it in a part of it or with a later argument. 0.25.32 rejects both.
-- ==
-- error: E0602.*Consuming "ns".*\[1 \+ first ns\].*E0602.*Consuming "ms".*\[at 1 ms\]
def first (xs: *[]i64): i64 = xs[0]
def at (i: i64) (xs: *[]i64): i64 = xs[i]
def f [n] (ns: *[n]i64) (xs: [1 + first ns]f32) = xs[0]
def g [n] (ms: *[n]i64) (xs: [at 1 ms]f32) = xs[0]
entry main (x: i32) = x
