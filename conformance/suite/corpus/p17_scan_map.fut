-- Digest 004, appendix B, P17: both a scan and what a map makes of it are results.
-- ==
-- input { [1, 2, 3] } output { [1, 3, 6] [3, 5, 8] }
-- input { empty([0]i32) } output { empty([0]i32) empty([0]i32) }
entry main [n] (xs: [n]i32) : ([n]i32, [n]i32) =
  let ys = scan (+) 0 xs
  let zs = map (+ 2) ys
  in (ys, zs)
