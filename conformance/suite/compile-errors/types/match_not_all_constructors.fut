-- Cases cover all constructors.
-- ==
-- error: Unmatched cases.*: #c
type t = #a | #b | #c
def f (x: t) : i32 = match x case #a -> 1 case #b -> 2
entry main (x: i32) = f #a + x
