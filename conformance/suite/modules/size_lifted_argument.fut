-- A module type with a parameter is made of its argument, of which `t` is known to have unknown sizes: in the type of a function each has a size of its own.
-- 0.25.32 accepts it.
-- ==
-- input { 1 } output { 3 }
module type s = { type~ t }
module k (P: s) : { val g : P.t -> i32 } = { def g (_: P.t) = 3i32 }
module m = k { type~ t = []i32 }
entry main (x: i32) = m.g [x, 2]
