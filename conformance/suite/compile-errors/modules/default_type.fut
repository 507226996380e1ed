-- A definition of some number type is of i32, whatever the module type asks for. 0.25.32 rejects it too.
-- ==
-- error: Default types
module m: { val twice: f64 -> f64 } = { def twice x = x + x }
entry main (n: i64) = n
