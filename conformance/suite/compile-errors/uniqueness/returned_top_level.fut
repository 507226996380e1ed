-- A function does not give away what is defined at the top level.
-- ==
-- error: Function result aliases the free variable "table"
def table = [1i32, 2, 3]
entry main (x: i32) : ([]i32, i32) = (table, x)
