-- The same of a record where a pair is asked for. 0.25.32 rejects it too.
-- ==
-- error: Unshared fields: 0, 1, a, b\.
def f (p: (i32, i32)) = p.0
entry main (x: i32) = f {a = x, b = x}
