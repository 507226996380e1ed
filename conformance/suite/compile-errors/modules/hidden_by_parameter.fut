-- Where a parameter hides a module, the module's functions and types have no name. 0.25.32 rejects each of these, too.
-- ==
-- error: no field "max" in a value of type i32.*no field "f" in a value of type i32.*Unknown module "a"
module a = {type t = i32 def f (x: t) = x + 1}
entry max (i32: i32) = i32.max 3 i32
def f (a: i32) = a.f 3
def typed (a: i32) = (a : a.t)
entry main (x: i32) = x
