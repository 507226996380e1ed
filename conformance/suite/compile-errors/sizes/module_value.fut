-- A value has the sizes that the module type says.
-- ==
-- error: The value "f" does not|val f
module m : { val f [n] : [n]i32 -> [n]i32 } = { def f [n] (xs: [n]i32) : [n + 1]i32 = xs ++ [1] }
entry main (x: i32) : i32 = (m.f [x])[0]
