-- Operators (language reference, "Operators" and "Operator precedence"). By hand; the same in 0.25.32.

def (+++) (x: i32) (y: i32) : i32 = 10 * x + y
def (*.) (x: i32) (y: i32) : i32 = x * y + 1
def (<+>) (x: i32) (y: i32) : bool = x + y < 10
def minus (x: i32) (y: i32) : i32 = x - y

-- An operator may have dots behind its first character. It binds as that does, and to the left: (1 +++ 2) +++ 3, 1 +++ (2 *. 3), (1 + 2) * 3.
-- ==
-- entry: of_the_program
-- input { 1 2 3 } output { 123 17 9 true }
-- input { 0 0 0 } output { 0 1 0 true }
entry of_the_program (x: i32) (y: i32) (z: i32) : (i32, i32, i32, bool) =
  (x +++ y +++ z, x +++ y *. z, (x + y) * z, x <+> y + z)

-- Between backticks any function is an operator, to the left, and binds less than others: (7 - 2) * 3 would be 15.
-- ==
-- entry: backticks
-- input { 7 2 3 } output { 2 1 5 }
entry backticks (x: i32) (y: i32) (z: i32) : (i32, i32, i32) = (x `minus` y `minus` z, x `minus` y * z, x `i32.min` (x `minus` y))

-- Arithmetic: 2 + 3 * 4, 2 ** 3 ** 2 to the left, -2 ** 2, 20 - 5 - 3, 100 / 7 % 4.
-- ==
-- entry: arithmetic
-- input { 2 3 4 } output { [14, 64, 4, 12, 2] }
entry arithmetic (x: i32) (y: i32) (z: i32) : []i32 = [x + y * z, x ** y ** 2, -x ** 2, 20 - 5 - y, 100 / 7 % z]

-- `& ^ |` bind alike, to the left: (6 | 3) & 1. Shifts bind less than sums: (1 + 3) << 1.
-- ==
-- entry: bits
-- input { 6 3 } output { [1, 5, 2, 12, 8] }
entry bits (x: i32) (y: i32) : []i32 = [x | y & 1, x ^ y, x & y, x << 1, 1 + 3 << 1]

-- ==
-- entry: logic
-- input { true false false } output { true false true }
-- input { false true true } output { true true false }
entry logic (p: bool) (q: bool) (r: bool) : (bool, bool, bool) = (p || q && r, !p && q, !(p && q) && !r)

-- ==
-- entry: comparisons
-- input { 1 2 } output { true false true true false }
-- input { 2 2 } output { false true false true true }
entry comparisons (x: i32) (y: i32) : (bool, bool, bool, bool, bool) = (x < y, x == y, x + 1 == y, x <= y && y >= x, x >= y)

-- Of tuples, records and arrays: all parts are equal, and both have one length.
-- ==
-- entry: equality
-- input { [1, 2] [1, 2] } output { true false true }
-- input { [1, 2] [1, 3] } output { false true true }
-- input { empty([0]i32) empty([0]i32) } output { true false true }
entry equality [n] (xs: [n]i32) (ys: [n]i32) : (bool, bool, bool) = (xs == ys, xs != ys, (1, {a = true}) == (1, {a = n >= 0}))

-- Pipes bind least; compositions before them.
-- ==
-- entry: pipes
-- input { [1, 2, 3] } output { 12 8 8 -12 }
entry pipes (xs: []i32) : (i32, i32, i32, i32) =
  ( xs |> map (* 2) |> i32.sum, (i32.sum >-> (+ 2)) xs, ((+ 2) <-< i32.sum) xs, i32.neg <| i32.sum <| map (* 2) xs )

-- Sections: (x -) and (- x) on either side; (i32.- x) of a module.
-- ==
-- entry: sections
-- input { 10 } output { [7, 7, -7, 30, 30, 1000] }
entry sections (x: i32) : []i32 = [(x -) 3, (`minus` 3) x, (3 `minus`) x, (* 3) x, (3 *) x, (i32.** 3) x]

-- An operator of a module, and one that an opened module has.
module m = { def (+) (x: i32) (y: i32) : i32 = x i32.* y }
-- ==
-- entry: of_modules
-- input { 3 4 } output { 12 12 7 }
entry of_modules (x: i32) (y: i32) : (i32, i32, i32) = (x m.+ y, m.(x + y), x + y)

-- An operator as a parameter.
-- ==
-- entry: bound
-- input { 5 3 } output { 2 53 }
entry bound (x: i32) (y: i32) : (i32, i32) =
  let apply (&&&) a b = a &&& b
  in (apply (-) x y, apply (+++) x y)

-- Operators that begin with `<|` associate to the right, between themselves and with it: 7 - (2 - 3), then 2 * (1 - (7 - 2)); the same in 0.25.32.
def (<|-) (x: i32) (y: i32) : i32 = x - y
-- ==
-- entry: from_the_right
-- input { 7 2 3 } output { 8 -8 }
entry from_the_right (x: i32) (y: i32) (z: i32) : (i32, i32) = (x <|- y <|- z, (* 2) <| 1 <|- x <|- y)

-- One of the program's own for `<|` itself: 10 - (4 - 3).
module own = {
  def (<|) (x: i32) (y: i32) : i32 = x - y
  def f (x: i32) (y: i32) (z: i32) : i32 = x <| y <| z
}
-- ==
-- entry: own_pipe
-- input { 10 4 3 } output { 9 }
entry own_pipe (x: i32) (y: i32) (z: i32) : i32 = own.f x y z
