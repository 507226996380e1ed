-- Two results of a function that are one array, which says nothing of its result. 0.25.32 rejects it too.
-- ==
-- error: E0601.*but this was consumed at
def both (n: i64) = let xs = iota n in (xs, xs, iota n)
entry main (n: i64) = let (a, b, c) = both n let c[0] = 1 let a[0] = 7 in b[0] + c[0]
