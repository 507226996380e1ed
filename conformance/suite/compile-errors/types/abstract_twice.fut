-- Each application of a module makes a type of its own.
-- ==
-- error: Cannot apply "a\.f" to "b\.x" \(invalid type\)\..*Expected: a\.t.*Actual: +b\.t
module type s = { type t val x : t val f : t -> i32 }
module f (P: { }) : s = { type t = i32 def x = 1i32 def f (x: t) = x }
module a = f { }
module b = f { }
entry main (x: i32) : i32 = x + a.f b.x
