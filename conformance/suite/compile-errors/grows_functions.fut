-- Each function is applied to a function twice, so that none is shared.
-- ==
-- error: with definitions in place of their names
def f0 (g: i32 -> i32) (x: i32) = g (g x)
def f1 (g: i32 -> i32) = f0 (f0 g)
def f2 (g: i32 -> i32) = f1 (f1 g)
def f3 (g: i32 -> i32) = f2 (f2 g)
def f4 (g: i32 -> i32) = f3 (f3 g)
def f5 (g: i32 -> i32) = f4 (f4 g)
def f6 (g: i32 -> i32) = f5 (f5 g)
def f7 (g: i32 -> i32) = f6 (f6 g)
def f8 (g: i32 -> i32) = f7 (f7 g)
def f9 (g: i32 -> i32) = f8 (f8 g)
def f10 (g: i32 -> i32) = f9 (f9 g)
entry main (y: i32) = f10 (\x -> x + 1) y
