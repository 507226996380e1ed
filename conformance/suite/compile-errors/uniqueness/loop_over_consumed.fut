-- Each turn reads an element of what the turn before has changed. (0.25.32 accepts this.)
-- ==
-- error: Using variable "xs", but this was consumed at
entry main (n: i64) : []i64 = let xs = iota n in loop ys = xs for x in xs do ys with [0] = x
