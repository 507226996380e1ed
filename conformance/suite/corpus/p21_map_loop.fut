-- Digest 004, appendix B, P21: a loop in a map is a map in a loop, where the number of rounds is the same for all. 1, 2, 3 times 2 * 2 * 2; rows, and their sums.
-- ==
-- entry: scalars
-- input { 3 [1, 2, 3] } output { [8, 16, 24] }
-- input { 0 [1, 2, 3] } output { [1, 2, 3] }
-- input { -1 [1, 2, 3] } output { [1, 2, 3] }
-- input { 31 [1, 2, 3] } output { [-2147483648, 0, -2147483648] }

-- ==
-- entry: rows interchanged
-- input { 3 [[1, 2], [3, 4]] } output { [[8, 16], [24, 32]] }
-- input { 3 empty([2][0]i32) } output { empty([2][0]i32) }
entry scalars (n: i32) (xs: []i32) : []i32 = map (\x -> loop x' = x for _i < n do 2 * x') xs
entry rows [k][l] (n: i32) (xss: [k][l]i32) : [k][l]i32 =
  map (\xs -> loop xs' = xs for _i < n do map (2 *) xs') xss
entry interchanged [k][l] (n: i32) (xss: [k][l]i32) : [k][l]i32 =
  loop xss' = xss for _i < n do map (map (2 *)) xss'
