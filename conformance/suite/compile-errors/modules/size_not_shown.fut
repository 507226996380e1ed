-- Two sizes cannot be told from their sum. 0.25.32 rejects it too.
-- ==
-- error: E0405
module m: { type t [n] [m] } = { type t [n] [m] = [n + m]bool }
entry main (x: i32) = x
