-- A pair of functions, one of which nobody can call: the size of its argument is unknown. 0.25.32 rejects it too.
-- ==
-- error: E0404
def pick (b: bool) =
  let (n, _) = if b then (2, 1) else (3, 2)
  in (\(xs: [n]i32) -> xs, b)
entry main (b: bool) = let _ = pick b in 1
