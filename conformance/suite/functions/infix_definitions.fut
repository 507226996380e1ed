-- An operator is defined between its parameters, which may be any patterns, and so is a name in backquotes (language reference, "Function declarations").
-- By hand; the same in 0.25.32.
type c = {a: i32, b: i32}

def (x: c) +^ (y: c) : c = {a = x.a + y.a, b = x.b + y.b}
def (x: i32, y: i32) +! (z: i32) = x + y + z
def {a, b} *! z : c = {a = a * z, b = b * z}
def _ *& z = z : i32
let x -. (y: i32) = 10 * x - y
def x `dist` y = i32.abs (x - y)
def xs `at` {i: i64, or} = if i < length xs then xs[i] else or

-- ==
-- entry: records
-- input { 4 } output { 60 40 }
entry records (x: i32) =
  let {a, b} = ({a = x, b = 1} +^ {a = 2, b = 3}) *! 10 in (a, b)

-- ==
-- entry: others
-- input { 4 } output { 7 2 36 6 }
entry others (x: i32) = ((x, 1) +! 2, x *& 2, x -. x, 10 `dist` x)

-- ==
-- entry: indexed
-- input { [5, 6] 1i64 } output { 6 }
-- input { [5, 6] 2i64 } output { -1 }
entry indexed (xs: []i32) (i: i64) = xs `at` {i, or = -1}

-- The parts of a record may have their types in a pattern.
def area {width: i32, height = h: i32} = width * h

-- ==
-- entry: typed_fields
-- input { 3 4 } output { 12 7 }
entry typed_fields (x: i32) (y: i32) =
  let {width: i32, height} = {width = x, height = y}
  in (area {width, height}, (\{a: i32, b} -> a + b) {a = x, b = y})
