-- The sizes of an entry point's parameters may be computed from others; that they are is checked. By hand.
-- ==
-- entry: product
-- input { 2i64 3i64 [1, 2, 3, 4, 5, 6] } output { [[1, 2, 3], [4, 5, 6]] }
-- input { 2i64 3i64 [1, 2, 3, 4, 5] } error: cannot match

-- ==
-- entry: double
-- input { [1, 2, 3, 4] [5, 6] } output { [6, 6] }
-- input { [1, 2, 3] [5, 6] } error: cannot match
-- input { empty([0]i32) empty([0]i32) } output { empty([0]i32) }

-- ==
-- entry: called
-- input { 2i64 } output { 6i64 }
def halves [n] (xs: [n * 2]i32) (ys: [n]i32) : [n]i32 = map2 (+) (take n xs) (map (\y -> y - 0) ys)

entry product (n: i64) (m: i64) (xs: [n * m]i32) : [n][m]i32 = unflatten xs
entry double [n] (xs: [n * 2]i32) (ys: [n]i32) : [n]i32 = map2 (-) (halves xs ys) (iota n |> map i32.i64 |> map (\i -> 2 * i))
entry sum_of (n: i64) (xs: [n + 1]i64) : i64 = i64.sum xs
entry called (n: i64) : i64 = sum_of (n + 1) (map (+ 0) (iota (n + 1 + 1)))
