-- Cases cover true and false.
-- ==
-- error: Unmatched cases in this match: false
entry main (x: bool) : i32 = match x case true -> 1
