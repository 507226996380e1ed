-- Only the `main` of the program itself is an entry point: that of a module may be polymorphic. By hand; the same in 0.25.32.
module m = { def main 'a (x: a) : (a, a) = (x, x) }
-- ==
-- entry: main
-- input { 3 } output { 3 3 }
entry main (x: i32) : (i32, i32) = m.main x
