-- Arrays of any length out of each element, one after the other: how long each is, where one begins, at which position, the elements, and what else the function
-- gives. Hand calculation; 0.25.32 does not have these functions.

-- Of 2 the numbers 0 and 1 times ten, of 0 nothing, of 1 the number 0; and each negated.
-- ==
-- entry: counts
-- input { [2i64, 0i64, 1i64] }
-- output { [2i64, 0i64, 1i64] [true, false, true] [0i64, 2i64, 2i64] [0i64, 10i64, 0i64] [-2i64, 0i64, -1i64] }
-- input { [0i64, 0i64] } output { [0i64, 0i64] empty([0]bool) [0i64, 0i64] empty([0]i64) [0i64, 0i64] }
-- input { empty([0]i64) } output { empty([0]i64) empty([0]bool) empty([0]i64) empty([0]i64) empty([0]i64) }
-- input { [1i64, -1i64] } error: Range 0..1..<-1 is invalid
entry counts [n] (ks: [n]i64) : ([n]i64, []bool, [n]i64, []i64, [n]i64) =
  flatmap (\k -> (map (* 10) (iota k), -k)) ks

-- The numbers from 1 to each.
-- ==
-- entry: triangle
-- input { [1i64, 2i64, 3i64] } output { [1i64, 1i64, 2i64, 1i64, 2i64, 3i64] [true, true, false, true, false, false] }
-- input { empty([0]i64) } output { empty([0]i64) empty([0]bool) }
entry triangle [n] (ks: [n]i64) : ([]i64, []bool) =
  let (_, flags, _, data) = flatmap' (\k -> map (+ 1) (iota k)) ks
  in (data, flags)

-- Of each element itself, if it is positive: what `filter` does.
-- ==
-- entry: filtered
-- input { [1.5, -1.0, 2.0] } output { [1.5, 2.0] [0i64, 1i64, 1i64] }
-- input { [f64.nan, -f64.inf, f64.inf] } output { [f64.inf] [0i64, 0i64, 0i64] }
-- input { empty([0]f64) } output { empty([0]f64) empty([0]i64) }
entry filtered [n] (xs: [n]f64) : ([]f64, [n]i64) =
  let (_, _, offsets, data) = flatmap' (\x -> if x > 0 then [x] else []) xs
  in (data, offsets)

-- Pairs; their components are two arrays.
-- ==
-- entry: pairs
-- input { [3i32, 0i32, 1i32] } output { [3, 3, 3, 1] [0i64, 1i64, 2i64, 0i64] }
entry pairs [n] (xs: [n]i32) : ([]i32, []i64) =
  let (_, _, _, data) = flatmap' (\x -> map (\i -> (x, i)) (iota (i64.i32 x))) xs
  in unzip data

-- Sums of what each element becomes: 1 + … + k.
-- ==
-- entry: summed
-- input { [4i64, 0i64, 2i64] } output { 13i64 [10i64, 0i64, 3i64] }
entry summed [n] (ks: [n]i64) : (i64, [n]i64) =
  let (_, _, _, data, sums) = flatmap (\k -> let xs = map (+ 1) (iota k) in (xs, i64.sum xs)) ks
  in (i64.sum data, sums)
