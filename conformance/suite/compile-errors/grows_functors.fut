-- Each module has a type with twice the parts.
-- ==
-- error: the types in it would take more
module type s = { type t val x : t }
module d (m: s) = { type t = (m.t,m.t) def x = (m.x,m.x) }
module m0 = {type t = i32 def x = 1i32}
module m1 = d m0
module m2 = d m1
module m3 = d m2
module m4 = d m3
module m5 = d m4
module m6 = d m5
module m7 = d m6
module m8 = d m7
module m9 = d m8
module m10 = d m9
module m11 = d m10
module m12 = d m11
module m13 = d m12
module m14 = d m13
module m15 = d m14
module m16 = d m15
module m17 = d m16
module m18 = d m17
module m19 = d m18
module m20 = d m19
entry main (y: i32) = let z = m20.x in y
