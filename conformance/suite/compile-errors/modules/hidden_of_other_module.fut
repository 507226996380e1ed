-- A hidden type has the name of the module that hides it, also in the type of a value of another module. 0.25.32 rejects it too.
-- ==
-- error: E0301[^╯]*Actual: +m\.t
module m : { type t val x : t } = { type t = i32 def x = 1i32 }
module n = { def y = m.x }
def z = (n.y : bool)
