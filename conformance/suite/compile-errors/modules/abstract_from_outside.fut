-- A value of an abstract type is made by its module only.
-- ==
-- error: Cannot apply "m\.f" to "x" \(invalid type\)\..*Expected: m\.t.*Actual: +i32
module m : { type t val f : t -> i32 } = { type t = i32 def f (x: t) = x }
entry main (x: i32) = m.f x
