-- An assertion that does not hold, alone, in maps, loops and branches that are taken, with a message of its own, and in a derivative.

-- ==
-- entry: alone
-- input { 1 } output { 2 }
-- input { 0 } error: Assertion is false: .*x > 0
-- input { -2147483648 } error: Assertion is false
entry alone (x: i32) : i32 = assert (x > 0) (x * 2)

-- Nothing is asserted of no elements.
-- ==
-- entry: in_map
-- input { [1, 2] } output { [1, 2] }
-- input { [1, -2] } error: Assertion is false: .*x > 0
-- input { empty([0]i32) } output { empty([0]i32) }
entry in_map (xs: []i32) : []i32 = map (\x -> assert (x > 0) x) xs

-- ==
-- entry: in_reduction
-- input { [1, 2] } output { 3 }
-- input { [1, -2, 3] } error: Assertion is false
entry in_reduction (xs: []i32) : i32 = reduce (+) 0 (map (\x -> assert (x > 0) x) xs)

-- The turns before are no matter: 3, 2, 1 and then 0.
-- ==
-- entry: in_loop
-- input { 3 2i64 } output { 1 }
-- input { 3 3i64 } error: Assertion is false
entry in_loop (x: i32) (n: i64) : i32 = loop y = x for _i < n do assert (y > 1) (y - 1)

-- ==
-- entry: in_branch
-- input { false -1 } output { -1 }
-- input { true 1 } output { 1 }
-- input { true -1 } error: Assertion is false
entry in_branch (c: bool) (x: i32) : i32 = if c then assert (x > 0) x else x

-- Two conditions: the first one that fails is named.
-- ==
-- entry: two
-- input { 1 2 } output { 3 }
-- input { 0 2 } error: x > 0
-- input { 1 0 } error: y > 0
-- input { 0 0 } error: x > 0
entry two (x: i32) (y: i32) : i32 = assert (x > 0) (assert (y > 0) (x + y))

-- Only the case that is taken asserts.
-- ==
-- entry: in_case
-- input { 0 } output { 7 }
-- input { 1 } error: Assertion is false
-- input { 5 } output { 5 }
entry in_case (x: i32) : i32 = match x case 0 -> 7 case 1 -> assert (x > 1) x case _ -> assert (x > 1) x

-- The derivative of an assertion that holds is that of its value; one that does not hold fails all the same.
-- ==
-- entry: reverse forward
-- input { 3.0 } output { 9.0 6.0 }
-- input { -3.0 } error: Assertion is false
entry reverse (x: f64) : (f64, f64) = vjp2 (\x -> assert (x > 0) (x * x)) x 1
entry forward (x: f64) : (f64, f64) = jvp2 (\x -> assert (x > 0) (x * x)) x 1

-- Of a function: what it gives relies on it, also where it is called by one that calls itself, or stands in a tuple.
-- ==
-- entry: of_a_function
-- input { 2 } output { 1 }
-- input { 3 } error: Assertion is false
entry of_a_function (x: i32) : i32 = let f = assert (x % 2 == 0) (x /) in f 2

def times 't (f: t -> t) (n: i64) (x: t) : t = if n == 0 then x else times f (n - 1) (f x)

-- ==
-- entry: of_a_function_in_a_call
-- input { 2 2i64 } output { 25 }
-- input { 3 2i64 } error: Assertion is false
entry of_a_function_in_a_call (x: i32) (n: i64) : i32 = let f = assert (x % 2 == 0) (\y -> y / x) in times f n 100

-- ==
-- entry: of_a_tuple
-- input { 1 } output { [2, 3] }
-- input { 0 } error: Assertion is false
entry of_a_tuple (x: i32) : []i32 = let (f, y) = assert (x > 0) ((\a b -> a + b), x) in map (f 1) [y, 2]
