-- A function that refers to itself cannot give a function: the calls could not all be specialised (language reference, "Recursive functions").
-- ==
-- error: may not be a function
def f (x: i32): i32 -> i32 = f (x - 1)
entry main (x: i32): i32 = f x 1
