-- The same digits are other numbers of other types: the sizes are 1 and 0. 0.25.32 rejects it too.
-- ==
-- error: E0401
def f (xs: [i64.bool (128 + 128 == 0u8)]i32): [i64.bool (128 + 128 == 0i32)]i32 = xs
entry main (x: i32) = f (replicate (i64.bool (128 + 128 == 0u8)) x)
