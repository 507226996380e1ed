-- Functions are not compared.
-- ==
-- error: Cannot apply "==" to "f"
def f (x: i32) = x
entry main (x: i32) : bool = f == f
