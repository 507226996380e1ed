-- The result of a loop may be what is outside of it, from its first turn on. 0.25.32 rejects it too.
-- ==
-- error: E0601.*Using variable "xs", but this was consumed at
entry main (n: i64) (c: bool): i64 =
  let xs = iota n
  let g = loop y = xs for _i < 3 do if c then y else xs
  let ys = g with [0] = 7
  in ys[0] + xs[1]
