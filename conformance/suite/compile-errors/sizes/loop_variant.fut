-- A size that changes from turn to turn is no size of what is outside of the loop (0.25.32 accepts it, and its successors do not).
-- ==
-- error: Loop-variant
def next [k] (xs: [k]i64) (_: [k + 1 - 1]i64): []i64 = filter (> 0) xs
entry main (xs: []i64) (ws: []i64) = length (loop ys = xs for _i < 2 do next ys ws)
