-- A loop in a definition without parameters uses in each turn what its functions refer to.
-- ==
-- error: Using variable "xs", but this was consumed at
def c : i64 =
  let xs = iota 3
  let ys = loop ys = xs for i < 3 do ys with [i] = (\j -> xs[j]) 0
  in ys[0]
entry main (i: i64) : i64 = c + i
