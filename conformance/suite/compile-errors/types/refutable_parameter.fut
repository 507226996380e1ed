-- A pattern of a parameter fits all values.
-- ==
-- error: must fit all values here, but does not fit #b
type t = #a i32 | #b
def f (#a x: t) = x
entry main (x: i32) = f (#a x)
