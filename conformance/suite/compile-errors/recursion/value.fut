-- A value does not refer to itself.
-- ==
-- error: Unknown name "xs"
def xs = xs
entry main (x: i32) = x
