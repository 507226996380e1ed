-- Fields of a record, of which a case names some in another order; of constructors that no case names, what they hold may be anything.
-- ==
-- error: Unmatched cases in this match: \{a = #some _, b = #none, c = true\}
type maybe = #none | #some i64

def f (r: {a: maybe, b: maybe, c: bool}) : i64 =
  match r
  case {c = false, a = _, b = _} -> 0
  case {b = #some n, a = #none, c = _} -> n
  case {b = #some n, a = #some m, c = true} -> n + m
  case {a = #none, b = #none, c = true} -> 1
