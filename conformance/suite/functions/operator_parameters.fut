-- A parameter may be an operator in parentheses. The least by `>` is the greatest.
-- ==
-- input { [3, 9, 4] } output { 3 9 }
def least [n] 't ((<=): t -> t -> bool) (xs: [n]t) : t = loop x = xs[0] for y in xs do if x <= y then x else y

entry main (xs: []i32) : (i32, i32) = (least (<) xs, least (>) xs)
