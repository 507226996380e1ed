-- The same of the parameter of a lambda. 0.25.32 rejects it too.
-- ==
-- error: E0402.*Causality
def on 'a 'b (x: a) (f: a -> b): b = f x
entry main (xs: []i64) = on (filter (> 0) xs) (\ys -> length ys)
