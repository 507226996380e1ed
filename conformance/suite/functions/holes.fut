-- A hole of a function's type is a function: it is an error only where it is called. 0.25.32 accepts it, but evaluates the hole at once. By hand.
-- ==
-- input { 3 } output { 3 }
-- input { -1 } error: [Hh]ole
entry main (x: i32) : i32 =
  let g : i32 -> i64 -> i32 = ???
  in if x > 0 then x else g x 2
