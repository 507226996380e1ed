-- The note names the field in which two types differ, also in what a hidden type is given. 0.25.32 rejects it too.
-- ==
-- error: Types "bool" and "i32" do not match, in the field "a"
module m : { type box 'a val mk 'a : a -> box a } = { type box 'a = a def mk 'a (x: a) = x }
def x = (m.mk { a = 1i32, b = 2i32 } : m.box { a: bool, b: i32 })
