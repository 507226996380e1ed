-- Recursive functions with type parameters, which results mention (language reference, "Recursive functions"; 0.25.32 knows no recursion). By hand.

-- ==
-- entry: alone
-- input { 7 3 } output { 7 }
def last 'a (x: a) (n: i32): a = if n == 0 then x else last x (n - 1)
entry alone (x: i32) (n: i32): i32 = last x n

-- ==
-- entry: pair
-- input { 7 3 } output { 7 true }
entry pair (x: i32) (n: i32): (i32, bool) = last (x, true) n

-- 2, doubled three times, is 16; true, negated three times, is false.
-- ==
-- entry: repeated
-- input { 2 3 } output { 16 false 3 }
-- input { 2 0 } output { 2 true 0 }
def repeat 'a (f: a -> a) (x: a) (n: i32): (a, i32) = if n == 0 then (x, 0) else let (y, k) = repeat f (f x) (n - 1) in (y, k + 1)
entry repeated (x: i32) (n: i32): (i32, bool, i32) = let ((a, b), k) = repeat (\(a, b) -> (2 * a, !b)) (x, true) n in (a, b, k)
