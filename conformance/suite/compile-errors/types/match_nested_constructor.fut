-- Cases cover the parts of a constructor.
-- ==
-- error: Unmatched cases in this match: #a false
type t = #a bool | #b
def f (x: t) : i32 = match x case #a true -> 1 case #b -> 2
entry main (x: i32) = f #b + x
