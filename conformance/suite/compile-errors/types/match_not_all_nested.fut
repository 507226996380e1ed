-- Cases cover all values of parts.
-- ==
-- error: Unmatched cases.*: \(false, false\)
entry main (x: bool) (y: bool) : i32 = match (x, y) case (true, _) -> 1 case (_, true) -> 2
