-- The branch that is not taken is not evaluated: no division by zero.
-- ==
-- input { [6, 0, -3] }
-- output { [2, 100, -4] }
entry main [n] (xs: [n]i32): [n]i32 = map (\x -> if x == 0 then 100 else 12 / x) xs
