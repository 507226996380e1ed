-- A parameter may be an operator in parentheses. The least by `>` is the greatest.
-- ==
-- input { [3, 9, 4] } output { 3 9 }
def least [n] 't ((<=): t -> t -> bool) (xs: [n]t) : t = reduce (\x y -> if x <= y then x else y) xs[0] xs

entry main (xs: []i32) : (i32, i32) = (least (<) xs, least (>) xs)
