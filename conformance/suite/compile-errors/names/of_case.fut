-- What a case binds stays there.
-- ==
-- error: Unknown name "y"
type t = #a i32 | #b i32
def f (x: t) : i32 = match x case #a y -> y case #b z -> y
entry main (x: i32) = f (#a x)
