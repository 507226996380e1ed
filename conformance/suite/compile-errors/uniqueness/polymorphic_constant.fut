-- A definition of the top level is not consumed, whatever the type parameters it has. 0.25.32 rejects it too.
-- ==
-- error: E0602.*none
def none = []
entry main (n: i64) = none with [0] = n
