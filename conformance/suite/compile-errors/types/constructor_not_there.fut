-- A constructor that the type does not have.
-- ==
-- error: #d
type t = #a | #b
entry main (x: i32) : i32 = let y : t = #d in match y case #a -> x case #b -> 2
