-- The bound of a loop is computed after the initial value, which it may not consume. 0.25.32 rejects it too.
-- ==
-- error: E0601
entry main (xs: *[]i64) = loop ys = xs for _i < (let zs = xs with [0] = 3 in zs[0]) do ys
