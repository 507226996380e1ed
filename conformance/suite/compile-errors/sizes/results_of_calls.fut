-- Each call of a function of unknown result size gives a size of its own: 0.25.32 rejects this, too.
-- ==
-- error: E0401|E0404
def k '~b (f: i64 -> b) (g: (i64 -> b) -> i64) : i64 = g f
def unknown (n: i64) = filter (> 0) (iota n)
entry main (_: i64) = k unknown (\h -> i64.sum (map2 (+) (h 1) (h 7)))
