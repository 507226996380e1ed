-- No function can evaluate its second argument only if need be. 0.25.32 rejects it too.
-- ==
-- error: E0204
def (&&) (x: bool) (y: bool) = x
entry main (x: bool) = x && x
