-- What may be consumed although something near it was (reference: uniqueness; 0.25.32). By hand.
-- ==
-- entry: marked_part
-- input { 2i64 } output { [1, 5] }

-- ==
-- entry: other_branch
-- input { true [1] } output { 9 }
-- input { false [1] } output { 1 }

-- ==
-- entry: other_branches
-- input { true false [1] [2] } output { 9 }
-- input { false true [1] [2] } output { 1 }
-- input { false false [1] [2] } output { 2 }

-- ==
-- entry: updated_in_turns
-- input { 2i64 } output { [2i64, 3i64] }

-- ==
-- entry: last_row
-- input { [[1, 2], [4, 3]] } output { [4, 3] }

-- ==
-- entry: both_of_one
-- input { 2i64 } output { [5i64, 5i64] [5i64, 5i64] }

-- ==
-- entry: many_branches
-- input { true [1, 2] [3, 4] } output { 5 }

-- A star on one part of a parameter gives the whole of it.
def first_part (p: ([]i32, *[]i32)) : []i32 = p.0 with [0] = 1
entry marked_part (n: i64) : []i32 = first_part (replicate n 5, [2])

-- One branch gives what another has consumed.
entry other_branch (c: bool) (xs: *[]i32) : i32 = let ys = if c then xs with [0] = 9 else xs in ys[0]

entry other_branches (c: bool) (d: bool) (xs: *[]i32) (ys: *[]i32) : i32 =
  let zs = if c then xs with [0] = 9 else (let one = if d then xs else ys in one)
  in zs[0]

-- A turn uses what it consumes afterwards.
entry updated_in_turns (n: i64) : [n]i64 = loop xs = replicate n 1 for i < n do xs with [i] = xs[i] + xs[0]

-- The result of a loop may be a row of the array that it goes over.
entry last_row [n][m] (xss: [n][m]i32) : [m]i32 = loop _ = replicate m 0 for xs in xss do xs

-- Parameters that are not consumed may be one array.
entry both_of_one (n: i64) : ([]i64, []i64) = loop (a, b) = (iota n, replicate n 5) for i < 3 do (b, b)

-- Each name is one of two arrays, however many branches are between.
entry many_branches (c: bool) (xs: []i32) (ys: []i32) : i32 =
  let (a, b) = (xs, ys)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  let (a, b) = if c then (a, b) else (b, a)
  in a[0] + b[1]
