-- A size that two references need too early is reported once, at the one that is evaluated first. 0.25.32 rejects it too.
-- ==
-- error: ^[^0]*E0402.*:5:57 ([^0]|0[^4])*$
def both 'a 'b 'c (x: a) (f: a -> b) (g: a -> c): (b, c) = (f x, g x)
entry main (xs: []i64) = both (filter (> 0) xs) length (map (+ 1))
