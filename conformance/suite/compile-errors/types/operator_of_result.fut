-- What an operator gives is its first operand in the next application, which has it all for its place. 0.25.32 rejects it too.
-- ==
-- error: E0301.*Cannot apply "\+\+\+" to "x \+\+\+ 2"
def (+++) (a: i32) (b: i32): bool = a == b
entry main (x: i32) = x +++ 2 +++ 3
