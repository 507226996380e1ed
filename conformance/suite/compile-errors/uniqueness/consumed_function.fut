-- A function that is consumed takes along what it refers to. (0.25.32 accepts this.)
-- ==
-- error: Using variable "xs", but this was consumed at
def c '^a (_: *a) : i32 = 0
entry main (xs: *[]i32) : i32 = let g = \(i: i64) -> xs[i] let z = c g in xs[0] + z
