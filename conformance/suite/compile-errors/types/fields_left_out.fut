-- A pattern of a record has all its fields. 0.25.32 rejects it too.
-- ==
-- error: This pattern does not fit the value
def f (r: {a: i32, b: i32}) : i32 = let {a = x} = r in x
entry main (x: i32) = f {a = x, b = 1}
