-- A hidden type has the name of the module that hides it, also where another module abbreviates it. 0.25.32 rejects it too.
-- ==
-- error: E0301[^╯]*Actual: +m\.t
module m : { type t } = { type t = i32 }
module n = { type u = m.t }
def f (x: n.u) = (x : bool)
