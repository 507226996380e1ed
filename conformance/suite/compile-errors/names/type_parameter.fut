-- A type parameter that is not declared.
-- ==
-- error: Unknown type "b"
def f 'a (x: a) (y: b) = x
entry main (x: i32) = f x x
