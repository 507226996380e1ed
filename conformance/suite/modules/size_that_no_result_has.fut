-- The module type asks for a function whose results have unknown sizes. That of the module has a size parameter that nothing determines, which is then 0.
-- 0.25.32 accepts it, and fails: nothing says what n is.
-- ==
-- input { 3i64 } output { 0i64 }
module m : { val f : i64 -> []i32 } = { def f [n] (x: i64) : [n]i32 = replicate n (i32.i64 x) }
entry main (x: i64) = length (m.f x)
