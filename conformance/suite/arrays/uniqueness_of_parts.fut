-- Programs without a use after consumption that 0.25.32 rejects: it knows less of what is an alias of what. By hand.
-- ==
-- entry: replaced_field
-- input { } output { 8 }

-- ==
-- entry: array_in_field
-- input { 2i64 } output { [9, 1] [2, 2] }

-- ==
-- entry: piped
-- input { [1, 2] } output { [9, 2] }

-- ==
-- entry: new_array
-- input { [1, 2] } output { [9, 2] }

-- The new record has nothing of the field that was replaced. (0.25.32 takes the name of a record for an alias of all its fields.)
def replace (r: *{a: []i32, b: []i32}) : i32 =
  let z = r with a = [7]
  let w = r.a with [0] = 1
  in z.a[0] + w[0]

entry replaced_field : i32 = replace {a = [1], b = [2]}

-- An update in a field consumes this field alone. (0.25.32 has no such path.)
def in_field (r: *{a: []i32, b: []i32}) : ([]i32, []i32) = let z = r with a[0] = 9 in (z.a, z.b)
entry array_in_field (n: i64) : ([]i32, []i32) = in_field {a = replicate n 1, b = replicate n 2}

-- A declared star counts after a pipe, too. (For 0.25.32 a pipe is a function without stars.)
def new (xs: []i32) : *[]i32 = copy xs
entry piped (xs: []i32) : []i32 = (xs |> new) with [0] = 9

-- A function may refer to an array that was updated only before it was made. (0.25.32 rejects it, but only since `ys` has a name.)
entry new_array (xs: []i32) : []i32 =
  let g = (let ys = copy xs let zs = ys with [0] = 9 in \(i: i64) -> zs[i])
  in [g 0, g 1]
