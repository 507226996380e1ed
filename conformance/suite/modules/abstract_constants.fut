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
