-- A type with unknown sizes is no plain type. 0.25.32 rejects it too.
-- ==
-- error: E0405
type~ arr = [2]i32
type plain = arr
entry main (x: i32) = x
