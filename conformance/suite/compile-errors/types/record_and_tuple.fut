-- A record and a pair: the names of both are unshared. 0.25.32 rejects it too.
-- ==
-- error: Unshared fields: 0, 1, a, b\.
def f (p: {a: i32, b: i32}) = p.a
entry main (x: i32) = f (x, x)
