-- The type of each function's result has the square of the parts of the one before.
-- ==
-- error: the types in it would take more
def pair x = (x,x)
def f0 x = pair x
def f1 x = f0 (f0 x)
def f2 x = f1 (f1 x)
def f3 x = f2 (f2 x)
def f4 x = f3 (f3 x)
def f5 x = f4 (f4 x)
def f6 x = f5 (f5 x)
def f7 x = f6 (f6 x)
def f8 x = f7 (f7 x)
def f9 x = f8 (f8 x)
def f10 x = f9 (f9 x)
entry main (x: i32) = let y = f10 x in 1
