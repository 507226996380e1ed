-- Nor does it determine that of the rows of an empty array (0.25.32 rejects it: causality).
-- ==
-- error: Nothing determines the size
entry main (k: i64) (b: bool) = length (match (k, b) case (n, true) -> [iota n] case _ -> [])
