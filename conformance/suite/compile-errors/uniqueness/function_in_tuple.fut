-- What is bound may not hold a function where it consumes something, be it in a part of a tuple. 0.25.32 rejects it too.
-- ==
-- error: E0611[^╯]*contains consumption, which is not allowed
entry main (xs: *[]i32) =
  let (g, y) = (\(i: i32) -> i + 1, xs with [0] = 1)
  in (g 2, y)
