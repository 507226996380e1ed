-- Only modules are opened in an expression.
-- ==
-- error: Unknown module "x"
def x = 1i32
entry main (y: i32) : i32 = x.(y)
