-- A tower of iterates.
-- ==
-- error: would take more than the
def twice f x = f (f x)
entry main (y: i32) = (twice twice twice twice twice twice twice twice twice twice (+1)) y
