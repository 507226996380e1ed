-- A result is no function, though it takes what is missing.
-- ==
-- error: may not be higher-order: it returns a function|may not be higher-order
def add (x: i32) (y: i32) = x + y
entry f (c: i32) = (add c, 1i32)
entry main (x: i32) = x
