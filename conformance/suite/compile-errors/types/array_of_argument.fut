-- The argument of a type may have unknown sizes, unless the type has arrays of it. (0.25.32 accepts this type, of which it knows no values.)
-- ==
-- error: Cannot create array: a value of its element type "m.t" might have unknown sizes
module m: { type~ t } = { type~ t = []i32 }
type two 'a = [2]a
def f (_: two m.t) = 1i32
entry main (x: i32) = x
