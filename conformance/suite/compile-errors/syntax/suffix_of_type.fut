-- There is no type foo of integers.
-- ==
-- error: Malformed number: `foo` is not a type of integers
def x = 1foo
entry main (y: i32) = y
