-- `f` has a size parameter that nothing determines where the module is seen again through another module type: the type there has none. (0.25.32 accepts
-- it as long as nobody calls `m.f`.)
-- ==
-- error: E0403[^╯]*Nothing determines the size "n"
module m : { val f [n] : i32 -> i32 } = { def f (x: i32) = x }
module k : { val f : i32 -> i32 } = m
