-- An array of pairs whose halves are one array, or come of one call, is consumed and given up as a whole: results as of separate arrays.
-- Expected: by hand; 0.25.32 says the same.
-- ==
-- entry: updated
-- input { [1i64, 2i64] } output { [9i64, 2i64] [8i64, 2i64] }

-- ==
-- entry: given_up
-- input { 2i64 } output { [0i64, 7i64] [0i64, 1i64] }

-- ==
-- entry: of_one_call
-- input { [[1i64, 2i64], [3i64, 4i64]] [[5i64, 6i64], [7i64, 8i64]] } output { [0i64, 2i64] [5i64, 0i64] }

-- ==
-- entry: consumed_twice
-- input { [1i64, 2i64] [3i64, 4i64] } output { [3i64, 2i64] [5i64, 4i64] }

-- ==
-- entry: exchanged
-- input { [1i64, 2i64] 3i64 } output { [2i64, 2i64] [1i64, 2i64] }

-- ==
-- entry: carried
-- input { 3i64 } output { [0i64, 10i64, 20i64] [0i64, 1i64, 2i64] }

-- ==
-- entry: zipped_is_new
-- input { [5i64, 6i64] [7i64, 8i64] } output { [1i64, 6i64] [2i64, 8i64] }

-- ==
-- entry: zipped_outlives
-- input { [5i64, 6i64] [7i64, 8i64] } output { [5i64, 6i64] [7i64, 8i64] [7i64, 6i64] }

-- ==
-- entry: row_of_itself
-- input { [[1, 2], [3, 4]] } output { [[3, 4], [3, 4]] }

-- ==
-- entry: carried_apart
-- input { [1, 2, 3] } output { [10, 2, 3] [20, 2, 3] }

entry updated [n] (xs: *[n]i64) : ([n]i64, [n]i64) =
  let ps = zip xs xs
  in unzip (ps with [0] = (9, 8))

def doubled (n: i64) : *[n](i64, i64) =
  let xs = iota n
  in zip xs xs

entry given_up (n: i64) : ([n]i64, [n]i64) =
  let ps = doubled n
  let ps[1] = (7, 1)
  in unzip ps

-- the first rows, of which a call says no more than that they are parts of its argument
def first_row [n] [m] (xss: [n][m](i64, i64)) : [m](i64, i64) = xss[0]

entry of_one_call [n] [m] (a: *[n][m]i64) (b: *[n][m]i64) : ([m]i64, [m]i64) =
  let row = first_row (map2 zip a b)
  let (xs, ys) = unzip row
  let xs = copy xs with [0] = 0
  let ys = copy ys with [1] = 0
  in (xs, ys)

def increment [n] (ps: *[n](i64, i64)) : *[n](i64, i64) =
  let (x, y) = ps[0]
  in ps with [0] = (x + 2, y + 2)

def both [n] (ps: *[n](i64, i64)) (qs: *[n](i64, i64)) : (*[n](i64, i64), *[n](i64, i64)) =
  (increment ps, increment qs)

entry consumed_twice [n] (xs: *[n]i64) (ys: *[n]i64) : ([n]i64, [n]i64) =
  let (ps, qs) = both (zip xs xs) (zip ys ys)
  in ((unzip ps).0, (unzip qs).1)

entry exchanged [n] (xs: *[n]i64) (k: i64) : ([]i64, []i64) =
  loop (a, b) = (copy xs, xs) for i < k do
    let c = b with [0] = i
    in (c, a)

entry carried (n: i64) : ([n]i64, [n]i64) =
  let ps = loop ps: *[n](i64, i64) = doubled n for i < n do
             let (x, y) = ps[i]
             in ps with [i] = (10 * x, y)
  in unzip ps

-- the result of zip is nobody's alias, whatever its arguments are
entry zipped_is_new [n] (xs: [n]i64) (ys: [n]i64) : ([n]i64, [n]i64) =
  unzip ((zip xs ys) with [0] = (1, 2))

entry zipped_outlives [n] (xs: *[n]i64) (ys: [n]i64) : ([n]i64, [n]i64, [n]i64) =
  let (as, bs) = unzip (zip xs ys)
  let xs[0] = 7
  in (as, bs, xs)

-- The row is a part of what is updated, but not of what `zip` made.
entry row_of_itself [n] (xss: *[n][2]i32) : [n][2]i32 =
  let ps = zip xss (iota n)
  let ps[0] = (xss[1], 7)
  in map (.0) ps

entry carried_apart [n] (xs: *[n]i32) : ([n]i32, [n]i32) =
  let (p, q) =
    loop (p, q) = (zip xs xs, zip xs xs) for i < 1 do
      (p with [i] = (10, 11), q with [i] = (20, 21))
  in (map (.0) p, map (.0) q)
