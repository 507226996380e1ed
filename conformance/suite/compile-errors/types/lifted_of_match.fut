-- Nor what may be a function. 0.25.32 rejects it too.
-- ==
-- error: The results of branches cannot be functions, but this has type t
def pick '^t (c: bool) (x: t) (y: t) : t = match c case true -> x case false -> y
entry main (x: i32) = x
