-- A constructor has as many parts as the type says.
-- ==
-- error: constructor \"#a\"
type t = #a i32 | #b
def f (x: t) : i32 = match x case #a y z -> y case #b -> 1
entry main (x: i32) = f (#a x)
