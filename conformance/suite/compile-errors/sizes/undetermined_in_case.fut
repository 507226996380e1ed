-- Of two cases, the size of one that knows it does not determine that of the other (0.25.32: "Ambiguous size").
-- ==
-- error: Nothing determines the size "n" here
def ones [n] (x: i64): [n]i64 = replicate n x
entry main (k: i64) (b: bool) = length (match (k, b) case (n, true) -> iota n case _ -> ones 1)
