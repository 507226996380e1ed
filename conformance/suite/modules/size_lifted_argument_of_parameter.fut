-- The same of a parameter that is a module with a parameter. 0.25.32 accepts it.
-- ==
-- input { 1 } output { 4 }
module type s = { type~ t }
module type f = (P: s) -> { val g : P.t -> i32 }
module h (G: f) = { module m = G { type~ t = []i32 } def y = m.g [1, 2, 3] }
module k (P: s) : { val g : P.t -> i32 } = { def g (_: P.t) = 3i32 }
module r = h k
entry main (x: i32) = r.y + x
