-- An alias of two values that have been consumed: both are named where it is consumed itself. 0.25.32 rejects it too, and names the first.
-- ==
-- error: Using variable "a".*Using variable "b"
def f (c: bool) (a: *[]i32) (b: *[]i32) : *[]i32 =
  let z = if c then a else b
  let _ = a with [0] = 1
  let _ = b with [0] = 1
  in z with [0] = 1
