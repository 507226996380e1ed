-- The end of a range is of its type. 0.25.32 rejects it too.
-- ==
-- error: does not fit in i8
entry main = 0i8..<128
