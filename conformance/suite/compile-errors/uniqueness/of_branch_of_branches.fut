-- What one branch consumes may be among what another gives; the result is still an alias of the rest.
-- ==
-- error: Using variable "ys", but this was consumed at
entry main (c: bool) (d: bool) (xs: *[]i32) (ys: *[]i32) : i32 =
  let z = if c then xs with [0] = 1 else (let one = if d then xs else ys in one)
  let w = z with [0] = 2
  in ys[0] + w[0]
