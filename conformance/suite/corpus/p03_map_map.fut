-- Digest 004, appendix B, P3: one map after the other. The smallest integer is its own absolute value.
-- ==
-- input { [-3, 0, 4] } output { [4, 1, 5] }
-- input { empty([0]i32) } output { empty([0]i32) }
-- input { [-2147483648, 2147483647] } output { [-2147483647, -2147483648] }
def arr_abs [n] (xs: [n]i32) : [n]i32 = map i32.abs xs
def arr_incr [n] (xs: [n]i32) : [n]i32 = map (+ 1) xs

entry main (xs: []i32) : []i32 = arr_incr (arr_abs xs)
