-- A function uses what a loop inside of it uses. 0.25.32 rejects it too.
-- ==
-- error: E0601.*Using variable "xs", but this was consumed at
entry main (n: i64) =
  let xs = iota n
  let g = \(a: i64) -> loop s = a for i < n do s + xs[i]
  let ys = xs with [0] = 1
  in (g 1, ys)
