-- The same of the other one. 0.25.32 rejects it too.
-- ==
-- error: E0204
def (||) (x: bool) (y: bool) = x
entry main (x: bool) = x || x
