-- A parameter of a loop that is marked, and that the turns do not consume: what it begins with is not consumed. 0.25.32 accepts these, but for `unnamed`.
-- ==
-- entry: one
-- input { [1i64, 2i64] } output { 1i64 }
entry one [n] (arr: [n]i64) : i64 =
  let e = loop (e: *[n]i64) = arr for _i < 3i32 do let ne = copy e in ne
  in e[0]

-- It can be used later on.
-- ==
-- entry: used
-- input { [1i64, 2i64] } output { 1i64 [9i64, 2i64] }
entry used [n] (arr: [n]i64) =
  let own = copy arr
  let e = loop (e: *[n]i64) = own for _i < 3i32 do let ne = map (+ 0) e in ne
  in (e[0], own with [0] = 9)

-- ==
-- entry: pair
-- input { [1i64, 2i64] } output { 4i64 [1i64, 2i64] }
entry pair [n] (arr: [n]i64) =
  let (a, b) = loop (a: *[n]i64, b: *[n]i64) = (copy arr, arr) for i < 3i64 do
    let c = copy b
    let a = a with [0] = i + c[1]
    in (a, c)
  in (a[0], copy b)

-- ==
-- entry: with_while
-- input { [1i64, 2i64] } output { 4i64 }
entry with_while [n] (arr: [n]i64) =
  let (i, e) = loop (i, e: *[n]i64) = (0, arr) while i < 3 do let ne = map (+ 1) e in (i + 1, ne)
  in e[0]

-- ==
-- entry: unnamed
-- input { [1i64, 2i64] } output { 4i64 }
entry unnamed [n] (arr: [n]i64) = (loop (e: *[n]i64) = arr for _i < 3i32 do map (+ 1) e)[0]

-- What a turn returns is the parameter itself: what it begins with is consumed, and may be.
-- ==
-- entry: given_back
-- input { [1i64, 2i64] } output { [1i64, 2i64] [9i64, 2i64] }
entry given_back [n] (arr: [n]i64) =
  let e = loop (e: *[n]i64) = copy arr for _i < 3i32 do e
  in (copy e, e with [0] = 9)
