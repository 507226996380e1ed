-- A function may return a constant of a type of which a module says nothing, and a record of functions (0.25.32 accepts both). By hand.
-- ==
-- input { [1, 2] } output { 3 }
module type monoid = {
  type t
  val zero : t
  val add : t -> t -> t
}

module sum (M: monoid) = {
  def of [n] (xs: [n]M.t) : M.t = if n == 0 then M.zero else reduce M.add M.zero xs
}

module ints = sum {
  type t = i32
  def zero = 0i32
  def add (x: i32) (y: i32) = x + y
}

entry main (xs: []i32) : i32 = ints.of xs

-- Also where the type is an array's: what is said of a functor is said where it is defined, of types of which nothing is known. 0.25.32 accepts it.
-- ==
-- entry: at_arrays
-- input { 5 } output { 5 [1, 2, 3] }
module pairs (M: { type t val zero: t }) = {
  type pair = {count: i32, last: M.t}
  def first (x: i32) : pair = {count = x, last = M.zero}
}

module of_arrays = pairs {
  type t = [3]i32
  def zero : t = [1, 2, 3]
}

entry at_arrays (x: i32) : (i32, [3]i32) =
  let p = of_arrays.first x
  in (p.count, p.last)

-- A function that is a part of a constant may be called for a result: the array beside it is none of it. 0.25.32 accepts it.
-- ==
-- entry: beside_function
-- input { 4 } output { [1, 1] [4, 4] }
def v : ([2]i32, i32 -> [2]i32) = ([1, 1], \i -> [i, i])

entry beside_function (x: i32) : ([2]i32, [2]i32) = (copy v.0, v.1 x)
