-- Of two arrays that were consumed, the first is named.
-- ==
-- error: Using variable "xs", but this was consumed at
entry main (c: bool) (xs: *[]i32) (ys: *[]i32) : i32 =
  let z = if c then xs else ys
  let a = xs with [0] = 1
  let b = ys with [0] = 1
  in z[0] + a[0] + b[0]
