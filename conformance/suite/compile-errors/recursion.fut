-- ==
-- error: .*
def f (x: i32): i32 = if x == 0 then 0 else f (x - 1)
entry main (x: i32): i32 = f x
