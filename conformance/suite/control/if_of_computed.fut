-- Both branches map over an array with a value computed before: it is computed once, outside. Expected: by hand; 0.25.32 says the same.
-- ==
-- entry: both
-- input { [1, 2, 3] true } output { [4, 5, 6] }
-- input { [1, 2, 3] false } output { [3, 6, 9] }
entry both [n] (xs: [n]i32) (c: bool) : [n]i32 =
  let y = xs[0] + xs[1]
  in if c then map (+ y) xs else map (* y) xs

-- The condition is a result of the round. [1, 2, 3] twice is [2, 4, 6]; its sum is 12: plus one, [3, 5, 7]; 15: twice, [6, 10, 14]; 30: twice, [12, 20, 28]; 60: plus one.
-- ==
-- entry: chosen
-- input { [1, 2, 3] } output { [13, 21, 29] }
entry chosen [n] (xs: [n]i32) : [n]i32 =
  loop xs for _i < 5 do if i32.sum xs % 4 < 2 then map (+ 1) xs else map (* 2) xs

-- One of the arrays is a part of another one, which begins in its middle.
-- ==
-- entry: part
-- input { [1, 2, 3, 4] true } output { [3, 4] 7 }
-- input { [1, 2, 3, 4] false } output { [2, 4] 6 }
entry part (xs: [4]i32) (c: bool) : ([2]i32, i32) =
  let ys = if c then xs[2:] :> [2]i32 else map (* 2) xs[:2] :> [2]i32
  in (ys, i32.sum ys)
