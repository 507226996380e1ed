-- A part that a case took and updated is gone.
-- ==
-- error: Using variable "x", but this was consumed at
type t [n] = #a ([n]i32) | #b
def f [n] (x: *t [n]) : i32 = match x case #a y -> (let z = y with [0] = 1 in y[0] + z[0]) case #b -> 0
entry main (x: i32) : i32 = f (#a [x])
