-- A parameter of a type stands for plain types. Futhark's tests of 0.28 ask for the error; 0.25.32 does not see it.
-- ==
-- error: E0405
type pair 'a = (a, a)
type~ arr = []i32
type~ pairs = pair arr
entry main (x: i32) = x
