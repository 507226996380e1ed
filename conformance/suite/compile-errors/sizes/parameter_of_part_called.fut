-- The same, called with an array of any size. 0.25.32 rejects it too.
-- ==
-- error: "n"
def all [n] (x: i64) : [n]i64 = replicate n x
entry main (k: i64) =
  let f = \(n: i64, m: i64) (xs: [n]i64) -> m + length xs + n
  in f (k, 4) (all 1)
