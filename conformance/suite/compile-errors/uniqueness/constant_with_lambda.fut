-- A function in a definition without parameters refers to what is around.
-- ==
-- error: Using variable "xs", but this was consumed at
def c : i32 =
  let xs = replicate 3 0i32
  let g = \(i: i64) -> xs[i]
  let ys = xs with [0] = 1
  in g 0 + ys[0]
entry main (i: i32) : i32 = c + i
