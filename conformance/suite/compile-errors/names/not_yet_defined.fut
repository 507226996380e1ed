-- A name is in scope after its definition.
-- ==
-- error: Unknown name "later"
def first (x: i32) = later x
def later (x: i32) = x
entry main (x: i32) = first x
