-- Digest 004, appendix B, P6: P4 with rows that are filled up with zeros. With `x > n` instead of `x > i`, as it was printed, nothing is ever left out.
-- ==
-- entry: padded
-- input { 5 } output { [1, 3, 6, 10, 15] }

-- ==
-- entry: printed
-- input { 5 } output { [15, 15, 15, 15, 15] }
entry padded (n: i32) : []i32 =
  map (\i -> reduce (+) 0 (map (\x -> if x > i then 0 else x) (1...n))) (1...n)
entry printed (n: i32) : []i32 =
  map (\_ -> reduce (+) 0 (map (\x -> if x > n then 0 else x) (1...n))) (1...n)
