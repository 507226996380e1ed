-- A type of functions is declared as such.
-- ==
-- error: The type "t" contains a function: declare it with `type\^`
type t = i32 -> i32
def f (g: t) = g 1
entry main (x: i32) = f (+ x)
