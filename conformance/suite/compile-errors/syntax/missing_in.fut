-- After `let` there is a body.
-- ==
-- error: Unexpected `def`
entry main (x: i32) : i32 = let y = x

def z = 1
