-- The message says what is missing. 0.25.32 rejects it too.
-- ==
-- error: lacks the value "zero".*val zero : i64
module m: { val zero: i64 } = { def one = 1i64 }
entry main (n: i64) = n
