-- Arguments are evaluated from right to left, so a function to the right of an array must not need its size. 0.25.32 rejects it too.
-- ==
-- error: E0402.*Causality
def on 'a 'b (x: a) (f: a -> b): b = f x
entry main (xs: []i64) = on (filter (> 0) xs) (map (+ 1))
