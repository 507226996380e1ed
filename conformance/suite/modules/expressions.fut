-- Modules (language reference, "Module System"): nested, opened, local, included, refined, applied, of higher order. By hand; the same in 0.25.32.

module counts = {
  def one = 1i32
  module inner = { def two = one + 1 def add (x: i32) = x + one }
  open { def three = inner.two + one }
}

-- ==
-- entry: nested
-- input { 5 } output { 6 2 3 9 }
entry nested (x: i32) : (i32, i32, i32, i32) =
  (counts.inner.add x, counts.inner.two, counts.three, counts.inner.(add (x + two) + two - 1))

module type monoid = { type t val zero : t val + : t -> t -> t }
module sum : monoid with t = i32 = { type t = i32 def zero = 0i32 def (+) (x: i32) (y: i32) = x i32.+ y }
module product : monoid with t = i32 = { type t = i32 def zero = 1i32 def (+) (x: i32) (y: i32) = x i32.* y }
module folds (M: monoid) = {
  open M
  def fold [n] (xs: [n]t) : t = reduce (M.+) M.zero xs
  def scanned [n] (xs: [n]t) : [n]t = scan (M.+) M.zero xs
}
module sums = folds sum
module products = folds product

-- ==
-- entry: applied
-- input { [1, 2, 3, 4] } output { 10 24 [1, 2, 6, 24] 0 }
-- input { empty([0]i32) } output { 0 1 empty([0]i32) 0 }
entry applied [n] (xs: [n]i32) : (i32, i32, [n]i32, i32) = (sums.fold xs, products.fold xs, products.scanned xs, sums.zero)

-- A module of two modules, and one that is made of a module and a function of modules.
module pair (A: monoid) (B: monoid) : monoid with t = (A.t, B.t) = {
  type t = (A.t, B.t)
  def zero = (A.zero, B.zero)
  def (+) (x: t) (y: t) : t = (x.0 A.+ y.0, x.1 B.+ y.1)
}
module both = folds (pair sum product)
module twice (F: (M: monoid) -> { val fold [n] : [n]M.t -> M.t }) (M: monoid) = {
  module f = F M
  def fold_rows [n][m] (xss: [n][m]M.t) : M.t = f.fold (map f.fold xss)
}
module all = twice folds sum

-- ==
-- entry: of_two
-- input { [1, 2, 3] } output { 6 6 }
-- input { empty([0]i32) } output { 0 1 }
entry of_two (xs: []i32) : (i32, i32) = both.fold (zip xs xs)
-- ==
-- entry: of_higher_order
-- input { [[1, 2], [3, 4]] } output { 10 }
-- input { empty([0][2]i32) } output { 0 }
entry of_higher_order (xss: [][]i32) : i32 = all.fold_rows xss

-- A module type that includes another and adds to it.
module type group = { include monoid val neg : t -> t }
module integers : group with t = i64 = { type t = i64 def zero = 0i64 def (+) (x: i64) (y: i64) = x i64.+ y def neg = i64.neg }
-- ==
-- entry: included
-- input { 5i64 } output { 0i64 -5i64 }
entry included (x: i64) : (i64, i64) = (x integers.+ integers.neg x, integers.neg x)

-- An abstract type: only the functions of its module know what it is.
module stack : { type t [n] val empty : t [0] val push [n] : i32 -> t [n] -> t [n + 1] val top [n] : t [n] -> i32 val size [n] : t [n] -> i64 } = {
  type t [n] = [n]i32
  def empty : [0]i32 = []
  def push [n] (x: i32) (xs: [n]i32) : [n + 1]i32 = xs ++ [x]
  def top [n] (xs: [n]i32) : i32 = xs[n - 1]
  def size [n] (_: [n]i32) : i64 = n
}
-- ==
-- entry: abstract
-- input { 3 } output { 4 2i64 }
entry abstract (x: i32) : (i32, i64) = let s = stack.push (x + 1) (stack.push x stack.empty) in (stack.top s, stack.size s)

-- What is opened later hides what was there; what is local to a module is not seen.
module shadows = { local def secret = 100i32 def x = secret def y = x + 1 }
module more = { open shadows def x = 7i32 def z = x + y }
-- ==
-- entry: shadowed
-- input { } output { 7 101 108 100 }
entry shadowed : (i32, i32, i32, i32) = (more.x, more.y, more.z, shadows.x)

-- A module without a name, as an argument, and as a function.
module adder = \(P: { val k : i32 }) -> { def add (x: i32) = x + P.k }
module add_three = adder { def k = 3i32 }
-- ==
-- entry: nameless
-- input { 4 } output { 7 }
entry nameless (x: i32) : i32 = add_three.add x

-- A type of a module in a module, and of an included module type, is given by its path.
module type within = { module inner: { type t val next: t -> t } }
module within_i32: within with inner.t = i32 = { module inner = { type t = i32 def next (x: i32) = x + 1 } }
module type included = { include within type u val first: u }
module included_i32: included with inner.t = i32 with u = i64 = {
  module inner = { type t = i32 def next (x: i32) = x + 2 }
  type u = i64
  def first = 7i64
}
-- ==
-- entry: given
-- input { 3 } output { 6 8i64 }
entry given (x: i32) : (i32, i64) = (included_i32.inner.next (within_i32.inner.next x), included_i32.first + 1)
