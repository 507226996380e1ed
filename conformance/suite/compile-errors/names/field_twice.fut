-- A field that is written twice. 0.25.32 rejects it too.
-- ==
-- error: E0204
def r (x: i32) = {a = x, b = x, a = x}
entry main (x: i32) = (r x).b
