-- A field that is not there cannot be replaced, and of its type nothing more is said. 0.25.32 rejects it too.
-- ==
-- error: ^\[E0306\] Error: There is no field "b"([^E]|E[^0])*$
def f (r: {a: i32}) = r with b = true
entry main (x: i32) = x
