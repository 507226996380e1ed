-- Arrays of the unit keep their lengths, also those that only a run tells.
-- Expected: by hand; 0.25.32 says the same.
-- ==
-- entry: kept
-- input { [1, -1, 2, 3] } output { 3i64 }
-- input { empty([0]i32) } output { 0i64 }

-- ==
-- entry: shape_of_nothing
-- input { 4i64 5i64 } output { 0i64 4i64 5i64 }

-- ==
-- entry: equal
-- input { 3i64 3i64 } output { true }

-- ==
-- entry: grouped
-- input { 6i64 } output { 2i64 3i64 }

-- ==
-- entry: beside
-- input { [1, 2] } output { [1, 2] }

-- ==
-- entry: given
-- input { 7 } output { 8 }

-- filtered units, counted
entry kept [n] (xs: [n]i32) : i64 =
  length (filter (\() -> true) (map (\_ -> ()) (filter (> 0) xs)))

def empty_of (n: i64) (m: i64) : [0][n][m]() = []

-- 0 arrays of n arrays of m units
entry shape_of_nothing (n: i64) (m: i64) : (i64, i64, i64) =
  let [k] [x] [y] (_: [k][x][y]()) = empty_of n m
  in (k, x, y)

entry equal (n: i64) (m: i64) : bool =
  let a = replicate n ()
  let b = replicate m () :> [n]()
  in a == b

entry grouped (n: i64) : (i64, i64) =
  let rows = unflatten (replicate n () :> [2 * 3]())
  in (length rows, length rows[0])

-- a record whose unit is left out of the results
entry beside [n] (xs: [n]i32) : ([n]i32, ()) =
  let ys = map (\x -> (x, ())) xs
  in (map (.0) ys, ys[0].1)

entry given (_: ()) (x: i32) : i32 = x + 1
