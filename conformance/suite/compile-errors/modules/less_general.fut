-- A function of all types is asked for, not one of i32.
-- ==
-- error: The value "f" does not|val f
module m : { val f 'a : a -> a } = { def f (x: i32) = x }
entry main (x: i32) = m.f x
