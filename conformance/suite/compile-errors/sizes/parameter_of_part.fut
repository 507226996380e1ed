-- The type of a parameter may not refer to a part of another parameter: no caller sees what it is. 0.25.32 rejects it too ("Invalid use of parameters").
-- ==
-- error: "n"
def f (n: i64, m: i64) (xs: [n]i64) = m + length xs + n
