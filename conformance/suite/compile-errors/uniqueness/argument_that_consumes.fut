-- A function that holds what its call consumes is no argument.
-- ==
-- error: Argument of functional type i32 -> .* contains consumption, which is not allowed
def h (xs: *[]i32) (i: i32) : []i32 = xs with [0] = i
def ap 'a (f: i32 -> a) : a = f 1
entry main (xs: *[]i32) : []i32 = ap (h xs)
