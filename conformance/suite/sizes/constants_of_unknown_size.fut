-- A constant whose size is known only when it is evaluated has the same size wherever it is used, in constants and functions made of it, too. By hand from
-- v = [5, 6], w = [6, 7]; the type checker of 0.25.32 accepts all of it.
def v = filter (> 3i32) [1, 2, 5, 6]
def w = map (+ 1) v
def nested = (v, [w, w])
def scale ys = map2 (*) v ys

-- ==
-- entry: of_itself
-- input { } output { [35, 48] }
entry of_itself = map2 (+) v (map2 (*) v w)

-- ==
-- entry: of_others
-- input { } output { [5, 6] [6, 7] [12, 14] 2i64 }
entry of_others = unzip3 (map3 (\a b c -> (a, b, b + c)) v w nested.1[0]) |> \(a, b, c) -> (a, b, c, length nested.1[1])

-- ==
-- entry: of_parameter
-- input { [3, 4] } output { [15, 24] }
-- input { [3, 4, 5] } error: cannot match shape
-- input { empty([0]i32) } error: cannot match shape
entry of_parameter ys = scale ys

-- 25 times 6, and 36 times 7.
-- ==
-- entry: of_result
-- input { } output { 402 }
entry of_result = reduce (+) 0 (scale (scale w))

-- With no element, too.
def none = filter (< 0i32) v

-- ==
-- entry: without_elements
-- input { } output { empty([0]i32) 0 }
entry without_elements = (map2 (+) none none, reduce (+) 0 (map2 (*) none none))

-- Its size.
-- ==
-- entry: counted
-- input { } output { [0i64, 1i64] [0i64, 2i64] }
entry counted = (iota (length v), map2 (\_ i -> 2 * i) v (indices w))
