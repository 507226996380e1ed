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

-- ==
-- entry: update
-- input { [1, 2] } output { [7, 2] }

-- ==
-- entry: positive
-- input { [1, -2, 3] } output { [1, 3] }

-- ==
-- entry: next
-- input { [1, 2] } output { [8, 3] }
entry composed : []i32 -> i32 = map (* 2) >-> i32.sum
entry lambda = \(x: i32) (y: i32) -> x * y
entry sized = iota

-- It consumes what the function consumes, and its result has the sizes and the aliases that the function's has.
def set (xs: *[]i32) : *[]i32 = xs with [0] = 7
entry update = set
entry positive = filter (>= 0i32)
def raised [n] (xs: [n]i32) : *[n]i32 = map (+ 1) xs
entry fresh = raised
entry next (xs: []i32) : []i32 = let ys = fresh xs in ys with [0] = 8
