-- Loops at points of a map, of as many rounds as a quotient and a remainder of arguments say. Futhark 0.25.32 gives the same.

-- ==
-- entry: rounds
-- input { [1i32, 2i32, 3i32] 7i32 2i32 } output { [2i32, 59i32, 86i32] }
-- input { [1i32, 2i32, 3i32] 7i32 8i32 } output { [248i32, 2i32, 3i32] }
-- input { [0i32] 7i32 0i32 } error: division by zero
entry rounds [n] (xs: [n]i32) (a: i32) (b: i32): [n]i32 =
  map (\x -> if x > 1 then (loop x for i < a / b do x * 3 + i) else (loop x for i < a % b do x * 2 + i)) xs
