-- Each size that leaves its scope in the result of a function is one of its own. 0.25.32 rejects it too.
-- ==
-- error: E0401
def f (n: i64) =
  let (m, _) = (n + 1, true)
  in (iota (m + 1 + 1), \(_: i32) -> iota (m + 1))
def g [n] (_: [n + 1]i64) = n
entry main (n: i64) = let (xs, _) = f n in g xs
