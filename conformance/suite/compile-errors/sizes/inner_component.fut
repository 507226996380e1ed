-- The type of a result names whole parameters, not parts of them. 0.25.32 rejects it too.
-- ==
-- error: E0404
def rows (n: i64, x: i32): [n]i32 = replicate n x
entry main (x: i32) = length (rows (3, x))
