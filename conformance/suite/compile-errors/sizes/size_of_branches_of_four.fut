-- The same, when a fourth branch makes the size of all of them another one. 0.25.32 rejects it too.
-- ==
-- error: E040[23]
def all [n] (x: i32) : [n]i32 = replicate n x
entry main (a: bool) (b: bool) (c: bool) = if a then [1, 2, 3] else if b then all 4 else if c then [1, 2] else [1]
