-- An abstract type is not the type that it is made of.
-- ==
-- error: Cannot apply "\+" to "m\.x" \(invalid type\)\..*Expected: i32.*Actual: +m\.t
module m : { type t val x : t } = { type t = i32 def x = 1i32 }
entry main (x: i32) : i32 = x + m.x
