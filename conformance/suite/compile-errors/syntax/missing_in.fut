-- After `let` there is a body.
-- ==
-- error: The `let` has no `in`
entry main (x: i32) : i32 = let y = x

def z = 1
