-- The module type promises a function of functions too, which the module cannot take. 0.25.32 rejects it too.
-- ==
-- error: E0311
module m: { val f '^a: a -> a } = { def f 'a (x: a) = head [x] }
entry main (x: i32) = m.f x
