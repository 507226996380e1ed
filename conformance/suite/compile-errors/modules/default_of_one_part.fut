-- The note says that a number type is so by default, also where another part of the type is any type. 0.25.32 rejects it too.
-- ==
-- error: Default types: its definition does not say
module m : { val f 'a : a -> f32 -> (a, f32) } = { def f x y = (x, y + 1) }
