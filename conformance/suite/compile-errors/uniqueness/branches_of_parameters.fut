-- Of two arrays that may not be consumed, the first is named.
-- ==
-- error: Would consume "xs", which is not consumable
entry main (c: bool) (xs: []i32) (ys: []i32) : []i32 = (if c then xs else ys) with [0] = 1
