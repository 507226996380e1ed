-- A value of the top level has no star.
-- ==
-- error: A top-level constant cannot have a unique type
def table : *[3]i32 = [1, 2, 3]
entry main (x: i32) : i32 = table[0] + x
