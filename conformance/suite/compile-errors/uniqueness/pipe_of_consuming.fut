-- What is piped is not consumed.
-- ==
-- error: A function that consumes its argument cannot be piped into: it has type \*\[n\]i32 -> \[n\]i32
def f (xs: *[]i32) : []i32 = xs with [0] = 1
entry main (xs: *[]i32) : []i32 = xs |> f
