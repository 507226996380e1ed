-- A type parameter is declared once.
-- ==
-- error: The parameter "a" is declared twice
def f 'a 'a (x: a) = x
entry main (x: i32) = f x
