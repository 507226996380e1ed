-- A size that the result has twice is one unknown size in the type.
-- ==
-- error: Actual: +\(i64, bool\) -> \?\[n\]\.\(\) -> \(\[n\]i64, \[n\]i64\)
def f (n: i64, b: bool) = \() -> (iota n, iota n)
entry main: i32 = f
