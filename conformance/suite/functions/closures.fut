-- Functions as values (language reference, "Function expressions", "Higher-order functions"). By hand; the same in 0.25.32.

-- ==
-- entry: partial
-- input { 3 4 } output { 7 12 -1 }
entry partial (x: i32) (y: i32) : (i32, i32, i32) =
  let add a b = a + b
  let add_x = add x
  let times = \a -> \b -> a * b
  in (add_x y, (times x) y, flip (-) y x)

-- A function holds what was there when it was made, not what has its name later.
-- ==
-- entry: captured
-- input { 5 } output { 15 }
entry captured (x: i32) : i32 =
  let k = 10
  let f (y: i32) = y + k
  let k = 1000
  in f x + k - 1000

-- ==
-- entry: composed
-- input { [1, 2, 3] } output { [4, 6, 8] [3, 5, 7] }
-- input { empty([0]i32) } output { empty([0]i32) empty([0]i32) }
entry composed (xs: []i32) : ([]i32, []i32) = (map ((+ 1) >-> (* 2)) xs, map ((+ 1) <-< (* 2)) xs)

-- Functions in tuples and records.
-- ==
-- entry: in_tuples
-- input { 7 } output { 8 14 49 }
entry in_tuples (x: i32) : (i32, i32, i32) =
  let fs = ((+ 1), {double = (* 2), square = \y -> y * y})
  in (fs.0 x, fs.1.double x, fs.1.square x)

def apply_n 'a (n: i32) (f: a -> a) (x: a) : a = loop x for _i < n do f x
def church 'a (f: a -> a) (g: a -> a) : a -> a = \x -> f (g x)
-- ==
-- entry: iterated
-- input { 3 2 } output { 16 }
-- input { 0 2 } output { 2 }
-- input { -1 2 } output { 2 }
entry iterated (n: i32) (x: i32) : i32 = apply_n n (* 2) x

-- A function that is made in each element of a map, and used there.
-- ==
-- entry: in_map
-- input { [1, 2, 3] } output { [11, 14, 19] }
entry in_map (xs: []i32) : []i32 = map (\x -> let f = church (+ 10) (* x) in f x) xs

-- A parameter that is a pattern: tuples, records, wildcards, units.
def sum_of ((a, b): (i32, i32)) {c = c: i32, d = _: i32} () : i32 = a + b + c
-- ==
-- entry: patterns
-- input { 1 2 3 } output { 6 }
entry patterns (a: i32) (b: i32) (c: i32) : i32 = sum_of (a, b) {c = c, d = 100} ()

-- One function at two types.
def pair_up 'a 'b (x: a) (y: b) : (a, b) = (x, y)
-- ==
-- entry: at_types
-- input { 1 true } output { 1 true true [1] }
entry at_types (x: i32) (y: bool) : (i32, bool, bool, []i32) =
  let (a, b) = pair_up x y
  let (c, d) = pair_up y [x]
  in (a, b, c, d)

-- Attributes change nothing but how a program is compiled.
-- ==
-- entry: with_attributes
-- input { [1, 2, 3] } output { 12 }
entry with_attributes (xs: []i32) : i32 = #[sequential] reduce (+) 0 (#[unroll] map (\x -> #[noinline] x * 2) xs)
