-- An entry point whose type is a function takes what the function takes, and so does one that is given some arguments only. Expected by hand.
-- ==
-- entry: composed
-- input { [1, 5, 2] } output { 16 }

-- ==
-- entry: lambda
-- input { 3 4 } output { 12 }

-- ==
-- entry: sized
-- input { 2i64 } output { [0i64, 1i64] }
entry composed : []i32 -> i32 = map (* 2) >-> i32.sum
entry lambda = \(x: i32) (y: i32) -> x * y
entry sized = iota
