-- What a module type does not mention is not seen outside.
-- ==
-- error: Unknown name "m\.g"
module m : { val f : i32 -> i32 } = { def f (x: i32) = x def g (x: i32) = x }
entry main (x: i32) : i32 = m.g x
