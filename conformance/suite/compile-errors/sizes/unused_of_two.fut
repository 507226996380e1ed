-- A size parameter that is in no parameter's type can never be known. 0.25.32 rejects it too.
-- ==
-- error: E0403.*size \[n\] is not used
def f [n] (x: i32) : i32 = x
entry main (x: i32) : i32 = x
