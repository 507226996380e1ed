-- In a constant, what a function uses is used where the function is. 0.25.32 rejects it too.
-- ==
-- error: E0601.*Using variable "a", but this was consumed at
def x = let a = iota 3 let f = \(i: i64) -> a[i] let b = a with [0] = 1 in f 0 + b[0]
entry main = x
