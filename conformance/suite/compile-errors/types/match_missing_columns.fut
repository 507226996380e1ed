-- What no case fits is said column by column, in the order of the value.
-- ==
-- error: Unmatched cases in this match: \(1, #b \(#d _ false\), _\)
type t = #a i64 | #b (#c | #d i64 bool)

def f (x: i32) (v: t) (z: (bool, f64)) : i64 =
  match (x, v, z)
  case (0, _, _) -> 0
  case (1, #a n, _) -> n
  case (1, #b #c, (true, _)) -> 1
  case (1, #b #c, (false, _)) -> 2
  case (1, #b (#d n true), _) -> n
  case (_, #a _, (_, 1.5)) -> 3
