-- What one branch returns says nothing of a size that is open in another: the parameter keeps a size of its own. 0.25.32 accepts all of these.
-- ==
-- entry: parameter
-- input { [72u8, 105u8] } output { 2i64 }
-- input { empty([0]u8) } output { 3i64 }
def f (name: []u8) = if null name then "you" else name
entry parameter (name: []u8) = length (f name)

-- ==
-- entry: inferred
-- input { [72u8, 105u8] } output { 2i64 }
-- input { empty([0]u8) } output { 3i64 }
def g name = if null name then "you" else name
entry inferred (name: []u8) = length (g name)

-- ==
-- entry: matched
-- input { [72u8, 105u8] } output { 2i64 [72u8, 105u8] }
-- input { empty([0]u8) } output { 3i64 [121u8, 111u8, 117u8] }
def h (name: []u8) = match length name case 0 -> "you" case _ -> name
entry matched (name: []u8) = (length (h name), h name)

-- ==
-- entry: of_local
-- input { true [1i64] } output { 2i64 }
-- input { false [1i64, 2i64, 3i64] } output { 3i64 }
entry of_local (c: bool) (ys: []i64) = let f (name: []i64) = if c then name else ys in length (f [1, 2])

-- ==
-- entry: two_
-- input { [1u8] [1u8, 2u8] } output { 1i64 2i64 }
def two (a: []u8) (b: []u8) (c: bool) = if c then a else b
entry two_ (a: []u8) (b: []u8) = (length (two a b true), length (two a b false))

-- ==
-- entry: of_loop
-- input { 5i64 true } output { 5i64 }
-- input { 5i64 false } output { 3i64 }
entry of_loop (n: i64) (c: bool) = length (loop xs = iota n for _i < 3i32 do if c then xs else iota 3)

-- ==
-- entry: rows_
-- input { 2i64 } output { [[1i64, 1i64], [1i64, 1i64]] 3i64 }
def rows (xss: [][]i64) = if length xss > 2 then [[1, 2, 3]] else xss
entry rows_ (n: i64) = (rows (replicate n (replicate n 1)) :> [2][2]i64, length (rows (replicate 3 [1]))[0])
