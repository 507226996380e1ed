-- A parameter with an apostrophe stands for a type.
-- ==
-- error: The argument for "a" must be a type
type pair 'a = (a, a)
entry main (n: i64) (x: pair [n]) : i64 = n
