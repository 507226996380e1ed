-- The unknown size of what two branches return is computed after them: a third branch cannot be made for it. 0.25.32 rejects it too.
-- ==
-- error: E040[23]
def all [n] (x: i32) : [n]i32 = replicate n x
entry main (b: bool) (c: bool) = if b then all 4 else if c then [1, 2] else [1]
