-- The argument of a module has what its parameter asks for.
-- ==
-- error: lacks the value "y"|value named "y"
module f (P: { val x : i32 val y : i32 }) = { def z = P.x + P.y }
module m = f { def x = 1i32 }
entry main (x: i32) = x + m.z
