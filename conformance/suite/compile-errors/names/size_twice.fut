-- A size is declared once.
-- ==
-- error: The parameter "n" is declared twice
def f [n] [n] (xs: [n]i32) = n
entry main (x: i32) = f [x]
