-- A size is an expression of at most 256 parts: a limit of ours, which 0.25.32 does not have.
-- ==
-- error: E0405.*This cannot be used as a size: an expression that binds names, or is too long
entry main (n: i64) : i64 =
  let f (xs: [n % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9 % 9]i32) = length xs in f [1]
