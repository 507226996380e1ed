-- Each field stands once in a pattern and in a type. 0.25.32 rejects both.
-- ==
-- error: E0204.*The field "a" is there twice.*The field "b" is there twice
type t = #c {a: i32}
def f (r: t) : i32 = match r case #c {a = x, a = y} -> x + y
def g (r: {b: i32, a: i32, b: i32}) : i32 = r.a
entry main (x: i32) = x
