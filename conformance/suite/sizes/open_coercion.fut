-- A coercion of which one size is left open keeps that size (0.25.32 accepts both; sums by hand).
-- ==
-- entry: coerced
-- input { 2i64 [[1, 2, 3], [4, 5, 6]] } output { [[1, 2, 3], [4, 5, 6]] }

-- ==
-- entry: rows
-- input { 2i64 [[1, 2, 3], [4, 5, 6]] } output { [6, 15] }
def known [n][m] (k: i64) (xss: [n][m]i32) : [k][m]i32 = xss :> [k][]i32

entry coerced (k: i64) (xss: [][]i32) = known k xss
entry rows (k: i64) (xss: [][]i32) = map (reduce (+) 0) (xss :> [k][]i32)

-- What a constructor that is not there would hold has no size that anything could tell; any will do. (0.25.32 refuses it, the versions after it do not.)
-- ==
-- entry: absent
-- input { true 3i64 } output { 3i64 }
-- input { false 3i64 } output { -1i64 }
type maybe 't = #just t | #nothing
entry absent (b: bool) (n: i64) =
  let found = if b then #just (iota n) else #nothing :> maybe ([]i64)
  in match found
     case #just xs -> length xs
     case #nothing -> -1

-- Constructors that hold one type have one size: that of the one which is there.
-- ==
-- entry: shared
-- input { [1i64, 2i64, 3i64] } output { 3i64 }
type either 't = #left t | #right t
entry shared (xs: []i64) =
  match (#left xs :> either ([]i64))
  case #left ys -> length ys
  case #right _ -> -1
