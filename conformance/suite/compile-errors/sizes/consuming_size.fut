-- A size consumes nothing. 0.25.32 rejects it too.
-- ==
-- error: E0602
def first (xs: *[]i64): i64 = xs[0]
def f [n] (ns: *[n]i64) (xs: [first ns]f32) = xs[0]
entry main (x: i32) = x
