-- Cases cover all values.
-- ==
-- error: Unmatched cases in this match: _
entry main (x: i32) : i32 = match x case 0 -> 1 case 1 -> 2
