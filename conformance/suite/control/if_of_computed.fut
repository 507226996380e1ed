-- Both branches map over an array with a value computed before: it is computed once, outside. Expected: by hand; 0.25.32 says the same.
-- ==
-- entry: both
-- input { [1, 2, 3] true } output { [4, 5, 6] }
-- input { [1, 2, 3] false } output { [3, 6, 9] }
entry both [n] (xs: [n]i32) (c: bool) : [n]i32 =
  let y = xs[0] + xs[1]
  in if c then map (+ y) xs else map (* y) xs
