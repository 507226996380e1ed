-- An entry point that is defined as a function, without parameters of its own, returns what its type says, also for the functions beside it. 0.25.32
-- rejects it too.
-- ==
-- error: E0602[^╯]*Would consume "xs"
entry f = \(xs: []i64) -> copy xs
entry main (xs: []i64) = (f xs) with [0] = 1
