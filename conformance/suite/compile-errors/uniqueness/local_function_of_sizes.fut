-- A local function with size parameters refers to what is around it, too.
-- ==
-- error: Using variable "xs", but this was consumed at
entry main (xs: *[]i32) : i32 =
  let g [m] (ys: [m]i32) = xs[0] + ys[0]
  let zs = xs with [0] = 1
  in g zs
