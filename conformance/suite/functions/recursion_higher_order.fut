-- Recursive functions of functions (language reference, "Recursive functions"; 0.25.32 knows no recursion). By hand: 3^2 + 2^2 + 1^2 is 14;
-- 2, doubled three times, is 16; [1, 2, 3] without its last elements, one by one, has the sums 6, 3, 1.

-- ==
-- entry: total
-- input { 3 } output { 14 }
-- input { 0 } output { 0 }
def sum_of (f: i32 -> i32) (n: i32): i32 = if n <= 0 then 0 else f n + sum_of f (n - 1)
entry total (n: i32): i32 = sum_of (\x -> x * x) n

-- ==
-- entry: repeated
-- input { 2 3 } output { 16 }
-- input { 2 0 } output { 2 }
def repeat (f: (i32, bool) -> (i32, bool)) (x: (i32, bool)) (n: i32): (i32, bool) = if n == 0 then x else repeat f (f x) (n - 1)
entry repeated (x: i32) (n: i32): i32 = (repeat (\(a, b) -> (2 * a, !b)) (x, true) n).0

-- ==
-- entry: inferred
-- input { [1, 2, 3] } output { 10 }
-- input { empty([0]i32) } output { 0 }
def sums [n] (f: i32 -> i32) (xs: [n]i32) = if n == 0 then 0 else f (i32.sum xs) + sums f (init xs)
entry inferred (xs: []i32): i32 = sums id xs
