-- The size of what a function takes is that of no value. 0.25.32 rejects it too.
-- ==
-- error: E0405
entry main (x: i32) =
  let [n] (_f: [n]bool -> [n]bool) = (\(ys: [10]bool) -> ys)
  in n + i64.i32 x
