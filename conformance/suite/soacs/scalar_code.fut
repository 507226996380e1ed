-- Scalar code of functions that are mapped, as the interpreter runs it on many elements at once.

-- A square that nothing uses: 2 (x + 1).
-- ==
-- entry: unused
-- input { [1.0, 2.0] } output { [4.0, 6.0] }
-- input { empty([0]f64) } output { empty([0]f64) }
entry unused (xs: []f64): []f64 = map (\x -> let _y = x * x let z = x + 1 in z * 2) xs

-- A long branch beside a short one. 3: ((((3 * 2 + 1) * 2 + 1) * 2 + 1) * 2 + 1) * 2 + 1 = 127.
-- ==
-- entry: long_branch
-- input { [3.0, -2.0] } output { [127.0, -2.0] }
-- ==
-- entry: long_else
-- input { [3.0, -2.0] } output { [3.0, -33.0] }
def step (x: f64): f64 = x * 2 + 1
entry long_branch (xs: []f64): []f64 = map (\x -> if x > 0 then step (step (step (step (step x)))) else x) xs
entry long_else (xs: []f64): []f64 = map (\x -> if x > 0 then x else step (step (step (step (step x))))) xs

-- A loop without rounds in each element: what it begins with.
-- ==
-- entry: no_rounds
-- input { [1.0, 2.0] [0i64, 2i64] } output { [1.0, 8.0] }
entry no_rounds (xs: []f64) (ks: []i64): []f64 = map2 (\x k -> loop x for _i < k do 2 * x) xs ks

-- Elements of rows that are mapped over; of many rows i and i + 1: 11 i + 10.
-- ==
-- entry: of_rows
-- input { [[1.0, 2.0], [3.0, 4.0]] } output { [21.0, 43.0] }
-- input { [[0.0, 1.0], [1.0, 2.0], [2.0, 3.0], [3.0, 4.0], [4.0, 5.0], [5.0, 6.0],
--   [6.0, 7.0], [7.0, 8.0], [8.0, 9.0], [9.0, 10.0], [10.0, 11.0], [11.0, 12.0], [12.0, 13.0]] }
-- output { [10.0, 21.0, 32.0, 43.0, 54.0, 65.0, 76.0, 87.0, 98.0, 109.0, 120.0, 131.0, 142.0] }
entry of_rows (xss: [][2]f64): []f64 = map (\row -> row[0] + 10 * row[1]) xss

-- A branch of eight operators, which is not yet long, and one of ten, in the same place: ((3 * 2 + 1) * 2 + 1 ...) is 63, then 127.
-- ==
-- entry: of_eight
-- input { [3.0, -2.0] } output { [63.0, -2.0] }
-- ==
-- entry: of_ten
-- input { [3.0, -2.0] } output { [127.0, -2.0] }
entry of_eight (xs: []f64): []f64 = map (\x -> if x > 0 then (((x * 2 + 1) * 2 + 1) * 2 + 1) * 2 + 1 else x) xs
entry of_ten (xs: []f64): []f64 = map (\x -> if x > 0 then ((((x * 2 + 1) * 2 + 1) * 2 + 1) * 2 + 1) * 2 + 1 else x) xs

-- What a branch within a branch has needed is free for the many values after it: 12 y + 78 and the first of them again, y + 1, where y is 4, 3 or -5.
-- ==
-- entry: after_branches
-- input { [2i64, 1i64, -1i64] } output { [131i64, 118i64, 14i64] }
entry after_branches (xs: []i64): []i64 =
  map (\x -> let y = if x > 0 then (if x > 1 then x * 2 else x * 3) else x * 5
             let a = y + 1 let b = y + 2 let c = y + 3 let d = y + 4 let e = y + 5 let f = y + 6
             let g = y + 7 let h = y + 8 let i = y + 9 let j = y + 10 let k = y + 11 let l = y + 12
             let m = a + 0
             in a + b + c + d + e + f + g + h + i + j + k + l + m)
      xs

-- And what a loop has needed: y is 1, 2 * 1 + 1 = 3 and 2 * 3 + 1 = 7 after 0, 1 and 2 trips.
-- ==
-- entry: after_loop
-- input { [0i64, 1i64, 2i64] } output { [92i64, 118i64, 170i64] }
entry after_loop (ks: []i64): []i64 =
  map (\t -> let y = loop x = 1 for _i < t do 2 * x + 1
             let a = y + 1 let b = y + 2 let c = y + 3 let d = y + 4 let e = y + 5 let f = y + 6
             let g = y + 7 let h = y + 8 let i = y + 9 let j = y + 10 let k = y + 11 let l = y + 12
             let m = a + 0
             in a + b + c + d + e + f + g + h + i + j + k + l + m)
      ks

-- More trips than the interpreter makes at once: 10000 * 9999 / 2.
-- ==
-- entry: many_trips
-- input { 10000i64 } output { 49995000i64 }
entry many_trips (n: i64): i64 = loop s = 0 for i < n do s + i

-- More than may pass before it looks whether it is to go on, in a loop within: 20000 * 19999 / 2 and 5 * 4 / 2.
-- ==
-- entry: many_within
-- input { [20000i64, 5i64] } output { [199990000i64, 10i64] }
entry many_within (ns: []i64): []i64 = map (\n -> loop s = 0 for i < n do s + i) ns

-- As little as is worth setting out for, four operators and the body that they are in for one element, and less: ((1 + 1) * 2 + 1) * 3 and without the factor.
-- ==
-- entry: little
-- input { [1.0] } output { [15.0] }
-- ==
-- entry: too_little
-- input { [1.0] } output { [5.0] }
entry little (xs: []f64): []f64 = map (\x -> ((x + 1) * 2 + 1) * 3) xs
entry too_little (xs: []f64): []f64 = map (\x -> (x + 1) * 2 + 1) xs
