-- Each module has the one before twice.
-- ==
-- error: the modules in it would take more
module m0 = { def x = 1i32 }
module m1 = { module a = m0 module b = m0 }
module m2 = { module a = m1 module b = m1 }
module m3 = { module a = m2 module b = m2 }
module m4 = { module a = m3 module b = m3 }
module m5 = { module a = m4 module b = m4 }
module m6 = { module a = m5 module b = m5 }
module m7 = { module a = m6 module b = m6 }
module m8 = { module a = m7 module b = m7 }
module m9 = { module a = m8 module b = m8 }
module m10 = { module a = m9 module b = m9 }
module m11 = { module a = m10 module b = m10 }
module m12 = { module a = m11 module b = m11 }
module m13 = { module a = m12 module b = m12 }
module m14 = { module a = m13 module b = m13 }
module m15 = { module a = m14 module b = m14 }
module m16 = { module a = m15 module b = m15 }
module m17 = { module a = m16 module b = m16 }
module m18 = { module a = m17 module b = m17 }
module m19 = { module a = m18 module b = m18 }
module m20 = { module a = m19 module b = m19 }
entry main = m20.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.x
