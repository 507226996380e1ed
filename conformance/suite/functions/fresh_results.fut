-- A result without a declared type is an alias of nothing in the parts that the function has made itself, so that it may be updated (0.25.32). By
-- hand.
-- ==
-- entry: one two three named part inner beside
-- input { [1, 2] } output { [9, 2] }

-- ==
-- entry: anonymous partial twice_partial declared given_back one_of_two
-- input { [1, 2] } output { [9, 2] }

-- ==
-- entry: operator
-- input { [1, 2] } output { [9, 2] }

-- ==
-- entry: sized
-- input { 2i64 } output { [9, 0] }

-- ==
-- entry: scalar
-- input { 1 } output { 1 3 }
def copy_of (xs: []i32) = copy xs
entry one (xs: []i32) : []i32 = (copy_of xs) with [0] = 9

def scaled (xs: []i32) (k: i32) = map (* k) xs
entry two (xs: []i32) : []i32 = (scaled xs 1) with [0] = 9

def moved (xs: []i32) (k: i32) (d: i32) = map (\x -> x * k + d) xs
entry three (xs: []i32) : []i32 = (moved xs 1 0) with [0] = 9

def by_name (xs: []i32) = let ys = map (+ 0) xs in ys
entry named (xs: []i32) : []i32 = (by_name xs) with [0] = 9

-- One part of a record, or of a pair in a pair.
def half (p: ([]i32, []i32)) = {a = copy p.0, b = p.1}
entry part (xs: []i32) : []i32 = (half (xs, xs)).a with [0] = 9

def quarter (p: ([]i32, []i32)) = ((copy p.0, p.1), p.1)
entry inner (xs: []i32) : []i32 = let ((a, _), _) = quarter (xs, xs) in a with [0] = 9

-- An array beside a function, which refers to the parameter.
def with_reader (xs: []i32) = (\(i: i64) -> xs[i], copy xs)
entry beside (xs: []i32) : []i32 = let (at, ys) = with_reader xs in ys with [0] = at 1 + 7

-- Functions that are local, or are given some of their arguments.
entry anonymous (xs: []i32) : []i32 = let g = \(_: i32) -> copy xs in (g 0) with [0] = 9

entry partial (xs: []i32) : []i32 =
  let g (_: i32) (_: i32) = copy xs
  let h = g 1
  in (h 0) with [0] = 9

entry twice_partial (xs: []i32) : []i32 =
  let g (_: i32) (_: i32) (_: i32) = copy xs
  let h = g 1
  let k = h 2
  in (k 0) with [0] = 9

-- What the body shows counts for a local function, whatever it declares.
entry declared (xs: []i32) : []i32 = let g (x: []i32) : []i32 = copy x in (g xs) with [0] = 9

-- A local function gives back what it is given: here an array that may be consumed.
entry given_back (xs: []i32) : []i32 =
  let g (ys: []i32) = ys
  let zs = copy xs
  in (g zs) with [0] = 9

entry one_of_two [n] (xs: [n]i32) : []i32 =
  let g (ys: [n]i32) (zs: [n]i32) = let ws = if ys[0] == 0 then ys else zs in ws
  in (g (map (+ 1) xs) (copy xs)) with [0] = 9

-- A declared star of an operator.
def (+^) (xs: []i32) (y: i32) : *[]i32 = map (+ y) xs
entry operator (xs: []i32) : []i32 = (xs +^ 0) with [0] = 9

-- A definition with a size parameter is a new array at each use.
def zeros [n] : [n]i32 = replicate n 0
entry sized (n: i64) : [n]i32 = (zeros : [n]i32) with [0] = 9

-- A scalar that is consumed may be consumed again.
def pair 'a (x: *a) (y: i32) : *(a, i32) = (x, y)
entry scalar (x: i32) : (i32, i32) = let g = pair x in ((g 2).0, (g 3).1)
