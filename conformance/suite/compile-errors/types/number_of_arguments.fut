-- The message says how many arguments the function takes. 0.25.32 rejects it too.
-- ==
-- error: E0304.*takes 2 arguments
def scale (k: i64) (x: i64) = k * x
entry main (n: i64) = scale n 2 3
