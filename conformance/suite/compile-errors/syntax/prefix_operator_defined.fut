-- `!` stands before its operand, so it is no operator between two. 0.25.32 rejects each of these, too.
-- ==
-- error: prefix operator.*prefix operator
def x ! y = x + y
def (!) x = x + 1i32
entry main (x: i32) = x
