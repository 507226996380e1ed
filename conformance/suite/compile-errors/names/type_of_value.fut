-- A value is no type.
-- ==
-- error: Unknown type "t"
def t = 1i32
entry main (x: t) : i32 = x
