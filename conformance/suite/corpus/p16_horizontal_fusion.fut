-- Digest 004, appendix B, P16: two maps and a sum of the same array, which is one traversal.
-- ==
-- input { [1, 2, 3] } output { [-1, -2, -3] [2, 3, 4] 6 }
-- input { empty([0]i32) } output { empty([0]i32) empty([0]i32) 0 }
-- input { [-2147483648, 2147483647] } output { [-2147483648, -2147483647] [-2147483647, -2147483648] -1 }
entry main [n] (xs: [n]i32) : ([n]i32, [n]i32, i32) =
  let ys = map (0 -) xs
  let zs = map (+ 1) xs
  in (ys, zs, reduce (+) 0 xs)
