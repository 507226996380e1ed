-- Nor a function. 0.25.32 rejects it too.
-- ==
-- error: underscore
def _twice (x: i32) = 2 * x
entry main (x: i32) = _twice x
