-- The body of a loop returns a function that consumes what the first one does not consume. 0.25.32 rejects it too.
-- ==
-- error: E0301[^╯]*The body of the loop does not have the type of its pattern[^╯]*regarding consuming their arguments
entry main (k: i64) =
  let f = loop f = \(x: []i32) -> length x for _i < k do \(x: *[]i32) -> length x
  in k
