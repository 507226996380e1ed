-- ==
-- input { 5 }  output { 1 }
-- input { 0 }  output { 0 }
-- input { -5 } output { -1 }
entry main (x: i32): i32 = if x > 0 then 1 else if x == 0 then 0 else -1

-- Arrays and tuples as results.
-- ==
-- entry: arrays
-- input { true [1, 2] [3, 4] }  output { [1, 2] 1 }
-- input { false [1, 2] [3, 4] } output { [3, 4] 2 }
entry arrays [n] (b: bool) (xs: [n]i32) (ys: [n]i32): ([n]i32, i32) = if b then (xs, 1) else (ys, 2)
