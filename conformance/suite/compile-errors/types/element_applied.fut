-- What is an element of an array is no function. 0.25.32 rejects it too.
-- ==
-- error: E0307[^╯]*A function may not stand here
def f y = let _ = [y] in y 3i32
