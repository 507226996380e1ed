-- A parameter of a type stands for plain types: not for one with an existential size, as for one of `type~` (0.25.32 does not see it).
-- ==
-- error: The argument for "a" may not contain size-lifted or lifted types, but "\(\?\[n\]\.\[n\]i32\)" is size-lifted
type pair 'a = (a, a)
type~ pairs = pair (?[n].[n]i32)
entry main (x: i32) = x
