-- A tuple of more than ten components: their order is that of numbers.
-- ==
-- error: Unmatched cases in this match: \(_, _, true, _, _, _, _, _, _, _, false, _\)
def f (t: (i8, i8, bool, i8, i8, i8, i8, i8, i8, i8, bool, i8)) : i64 =
  match t
  case (_, _, false, _, _, _, _, _, _, _, _, _) -> 0
  case (_, _, true, _, _, _, _, _, _, _, true, _) -> 1
