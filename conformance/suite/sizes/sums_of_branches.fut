-- The sizes of two branches differ, m + 2 and n + 3: nothing follows for m, which is k. By hand: [1, 1] + [0, 1]; [1, 1] and [1, 2] behind it, or [0] and
-- [1, 2, 3]. 0.25.32 accepts it.
-- ==
-- input { true 1i64 2i64 } output { [1i64, 2] [1i64, 1, 1, 2] }
-- input { false 1i64 2i64 } output { [1i64, 2] [0i64, 1, 2, 3] }
def all [m] (x: i64) : [m]i64 = replicate m x
entry main (c: bool) (n: i64) (k: i64) =
  let ys = all 1
  let r = if c then ys ++ [1, 2] else iota n ++ [1, 2, 3]
  in (map2 (+) ys (iota k), r)
