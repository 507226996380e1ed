-- Constants below zero as sizes: a program that has them is accepted, and fails where and when it would with a variable of that value: only if that code
-- runs. Futhark 0.25.32 does the same (futhark test -i).

-- ==
-- entry: of_iota of_replicate of_tabulate of_hist computed named by_function
-- input { true } error: invalid|Bins
entry of_iota (_: bool) : []i64 = iota (-1)
entry of_replicate (_: bool) : [][]i32 = replicate (-2) (replicate 3 1)
entry of_tabulate (_: bool) : []i64 = tabulate (-3) (\i -> i)
entry of_hist (_: bool) : []i32 = hist (+) 0 (-1) [0, 0] [1, 2]
entry computed (_: bool) : []i64 = iota (2 - 3)
entry named (_: bool) : []i64 = let n = -4 in iota n
def made (n: i64) : [n]i32 = replicate n 7
entry by_function (_: bool) : []i32 = made (-1)

-- ==
-- entry: of_slice empty_slice backwards first updated
-- input { [1, 2, 3, 4, 5, 6] } error: out of bounds|Bad update
entry of_slice (a: []i32) : []i32 = a[5:2]
entry empty_slice (a: []i32) : []i32 = a[2:0]
entry backwards (a: []i32) : []i32 = a[0:4:-1]
entry first (a: []i32) : []i32 = take (-1) a
entry updated (a: *[]i32) : []i32 = a with [2:0] = []

-- What does not run does not fail.
-- ==
-- entry: in_branch in_slice_of_branch
-- input { true } output { [1i64] }
-- input { false } error: invalid|out of bounds
entry in_branch (b: bool) : []i64 = if b then [1] else iota (-2)
entry in_slice_of_branch (b: bool) : []i64 = if b then [1] else (iota 3)[2:1]

-- ==
-- entry: in_map of_rows summed
-- input { 0i64 } output { 0i64 }
-- input { 2i64 } error: invalid
entry in_map (n: i64) : i64 = length (map (\i -> i + length (iota (-2))) (iota n))
entry of_rows (n: i64) : i64 = i64.sum (map (\k -> i64.sum (iota k)) (replicate n (-1)))
entry summed (n: i64) : i64 = loop s = 0 for i < n do s + i64.sum (map (+ i) (iota (-1)))

-- ==
-- entry: in_some_rows
-- input { [1i64, 2i64] } output { [1i64, 2i64] }
-- input { [1i64, -2i64] } error: invalid
-- input { empty([0]i64) } output { empty([0]i64) }
entry in_some_rows (xs: []i64) : []i64 = map (\x -> if x < 0 then i64.sum (map (* x) (iota (-3))) else x) xs

-- Coercions to them are checked as all are.
-- ==
-- entry: coerced of_none
-- input { [1, 2, 3] } error: shape
-- input { empty([0]i32) } error: shape
entry coerced (a: []i32) : []i32 = a :> [-1]i32
entry of_none (a: []i32) : i64 = length (a :> [-1]i32)

-- ==
-- entry: twice
-- input { true } error: shape
entry twice (_: bool) : i64 = let b = unflatten (iota 6 :> [2 * 3]i64) :> [-2][-3]i64 in length b

-- No argument is of such a size; Futhark's interpreter does not look.
-- ==
-- entry: parameter
-- input { [1, 2, 3] } error: .
entry parameter (a: [-1]i32) : i64 = length a

-- Derivatives fail where their programs do.
-- ==
-- entry: derivative
-- input { 2.0 } output { 1.0 }
-- input { -2.0 } error: invalid
entry derivative (x: f64) : f64 = vjp (\x -> if x > 0 then x else f64.sum (map (* x) (replicate (-1) 1))) x 1
