-- A constructor may have any word for its name, keywords too, wherever constructors stand; 0.25.32 accepts all of these.
-- ==
-- input { 3 } output { 3 1 0 }
type t = #let | #in i32 | #true | #def bool | #entry | #type (i32, i32) | #case
def g (t: t): i32 =
  match t
  case #let -> 0
  case #in x -> x
  case #true -> 1
  case #def b -> if b then 2 else 3
  case #entry -> 4
  case #type (x, y) -> x + y
  case #case -> 5
def if_ (b: bool): #if | #else = if b then #if else #else
entry main (x: i32) =
  (g (#in x), g #true, match if_ (x > 4) case #if -> g #let + 1 case #else -> g (#type (x, -x)))
