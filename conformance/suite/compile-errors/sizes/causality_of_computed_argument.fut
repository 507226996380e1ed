-- What has the size that an argument computes comes after that argument. 0.25.32 rejects both definitions.
-- ==
-- error: (E0402. Error: Causality.*){2}
def all [n] (x: i64) : [n]i64 = replicate n x
def piped (k: i64) = length <| iota (loop n = 1 for _i < k do n * 2)
def right (k: i64) = map2 (+) (iota (loop n = 1 for _i < k do n * 2)) (all 1)
