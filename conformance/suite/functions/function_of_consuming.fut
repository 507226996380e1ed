-- A function that takes functions that may consume their arguments also takes one that does not. By hand: `h` gives the first element of [1].
-- 0.25.32 accepts it.
-- ==
-- input { 2 } output { 3 }
def k (h: ([]i32 -> i32) -> i32) = h (\xs -> xs[0])
def h (g: *[]i32 -> i32) = g [1]
entry main (x: i32) = k h + x
