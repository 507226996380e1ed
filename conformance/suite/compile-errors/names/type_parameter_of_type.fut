-- A type parameter that is not declared.
-- ==
-- error: Unknown type "b"
type pair 'a = (a, b)
entry main (x: i32) = x
