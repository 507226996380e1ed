-- Each functor applies the one before twice: all bodies are checked again.
-- ==
-- error: the modules with parameters that it applies
module type s = { val x : i32 }
module f0 (m: s) = { def x = m.x + 1 }
module f1 (m: s) = f0 (f0 m)
module f2 (m: s) = f1 (f1 m)
module f3 (m: s) = f2 (f2 m)
module f4 (m: s) = f3 (f3 m)
module f5 (m: s) = f4 (f4 m)
module f6 (m: s) = f5 (f5 m)
module f7 (m: s) = f6 (f6 m)
module f8 (m: s) = f7 (f7 m)
module f9 (m: s) = f8 (f8 m)
module f10 (m: s) = f9 (f9 m)
module f11 (m: s) = f10 (f10 m)
module f12 (m: s) = f11 (f11 m)
module f13 (m: s) = f12 (f12 m)
module f14 (m: s) = f13 (f13 m)
module f15 (m: s) = f14 (f14 m)
module f16 (m: s) = f15 (f15 m)
module f17 (m: s) = f16 (f16 m)
module f18 (m: s) = f17 (f17 m)
module f19 (m: s) = f18 (f18 m)
module f20 (m: s) = f19 (f19 m)
module r = f20 { def x = 1i32 }
entry main = r.x
