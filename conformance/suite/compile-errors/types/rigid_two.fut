-- Two type parameters may stand for different types.
-- ==
-- error: Function body does not have the declared type\..*Expected: a.*Actual: +b
def f 'a 'b (x: a) (y: b) : a = y
entry main (x: i32) = f x x
