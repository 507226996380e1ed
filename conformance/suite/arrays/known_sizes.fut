-- Sizes that need no check: of ranges from 0, of slices from 0, of assertions, of branches that differ in the same way (0.25.32 accepts all).
-- ==
-- input { 3i64 [7, 8, 9, 10] true } output { [0i64, 1i64, 2i64] [7, 8, 9] [5, 7] }
entry main (n: i64) (xs: []i32) (b: bool) : ([n]i64, [n]i32, []i32) =
  let steps : [n]i64 = 0..1..<n
  let part : [n]i32 = xs[0:n]
  let checked : [n]i64 = iota (assert (n > 2) n)
  let (a, c) = if b then ([1, 2], [4, 5]) else ([1, 2, 3], [4, 5, 6])
  in (map2 i64.max steps checked, part, map2 (+) a c)
