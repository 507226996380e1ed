-- No type has a field and an order. 0.25.32 rejects it too.
-- ==
-- error: a record with fields key
def both 'a (_: a -> bool) (g: a -> bool) = g
entry main (n: i64) = both (\r -> r.key) (\r -> r >= 1) n
