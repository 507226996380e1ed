-- No value of this type shows its size. 0.25.32 rejects it too.
-- ==
-- error: E0405
type^ t = []bool -> bool
entry main (x: bool) = x
