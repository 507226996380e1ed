-- The constructor holds one part. 0.25.32 rejects it too.
-- ==
-- error: parts|constructor
type t = #some f64 | #none
entry main (x: f64): bool = match (#some x : t)
  case #some -> true
  case #none -> false
