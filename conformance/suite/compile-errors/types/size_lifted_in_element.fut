-- The elements of an array have a part that may have unknown sizes. 0.25.32 rejects it too.
-- ==
-- error: The type a is size-lifted
def f '~a (x: a) = [(x, 1i32)]
