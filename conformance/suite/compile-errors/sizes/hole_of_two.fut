-- The message names the first of the sizes that nothing computes, and that is all it says.
-- 0.25.32 rejects it too, for the sizes of the function.
-- ==
-- error: ^[^╯]*size "a" needed for type of this hole[^╯]*╯[^╯]*$
entry main (_: i32) : i64 =
  let p = ???
  let f [a] [b] (_: ([a]i32, [b]i32)) : i64 = a + b
  in f p
