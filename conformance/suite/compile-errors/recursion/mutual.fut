-- Functions do not refer to each other.
-- ==
-- error: Unknown name "odd"
def even (n: i32) : bool = n == 0 || odd (n - 1)
def odd (n: i32) : bool = n != 0 && even (n - 1)
entry main (n: i32) = even n
