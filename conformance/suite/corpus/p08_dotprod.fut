-- Digest 004, appendix B, P8: 4 + 10 + 18. With a sum in place of the product, as it was printed, 5 + 7 + 9.
-- ==
-- entry: dotprod
-- input { [1, 2, 3] [4, 5, 6] } output { 32 }
-- input { empty([0]i32) empty([0]i32) } output { 0 }
-- input { [1, 2] [3] } error: size|shape

-- ==
-- entry: printed
-- input { [1, 2, 3] [4, 5, 6] } output { 21 }
entry dotprod [n] (xs: [n]i32) (ys: [n]i32) : i32 = reduce (+) 0 (map2 (*) xs ys)
entry printed [n] (xs: [n]i32) (ys: [n]i32) : i32 = reduce (+) 0 (map2 (+) xs ys)
