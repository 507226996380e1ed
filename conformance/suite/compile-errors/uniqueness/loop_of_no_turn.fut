-- The result of a loop without a turn is its initial value.
-- ==
-- error: Would consume "xs", which is not consumable
entry main (xs: []i32) (n: i64) : []i32 = (loop ys = xs for i < n do map (+ 1) ys) with [0] = 1
