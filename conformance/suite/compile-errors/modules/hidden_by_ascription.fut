-- What a module type hides is hidden again by its second one.
-- ==
-- error: Unknown name "m\.y"
module m = { def x = 1i32 def y = 2i32 } : { val x : i32 }
entry main (z: i32) = z + m.y
