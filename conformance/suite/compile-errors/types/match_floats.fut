-- Floats are not covered by numbers.
-- ==
-- error: Unmatched cases in this match: _
entry main (x: f64) : i32 = match x case 0.0 -> 1 case 1.0 -> 2
