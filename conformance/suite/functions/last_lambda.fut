-- The last argument of an application may be a lambda without parentheses (reference of 0.28: grammar of expressions); it extends as far as it can.
-- By hand: (1+10)*2, (2+20)*2.
-- ==
-- input { [1, 2] [10, 20] } output { [22, 44] }
def twice 'a 'b (x: a) (f: a -> b) : (b, b) = (f x, f x)

entry main (xs: [2]i32) (ys: [2]i32) : [2]i32 =
  (twice (zip xs ys) \ps -> map (\(x, y) -> (x + y) * 2) ps).0
