-- Types that hide arrays of sizes that they do not mention: each value has its own.
-- Expected: by hand; 0.25.32 says the same.
-- ==
-- entry: lengths
-- input { 3i64 } output { 3i64 6i64 0i64 }

-- ==
-- entry: chosen
-- input { true 3i64 } output { 3i64 }
-- input { false 3i64 } output { 7i64 }

-- ==
-- entry: grown
-- input { 0i64 } output { 1i64 }
-- input { 4i64 } output { 16i64 }

-- ==
-- entry: kept
-- input { 2i64 5i64 } output { 5i64 2i64 }

-- ==
-- entry: shared
-- input { 3i64 } output { 3i64 1i64 }

-- ==
-- entry: matched
-- input { 4i64 } output { 4i64 8i64 0i64 }

-- ==
-- entry: through_functor
-- input { [1, 2, 3] } output { 6i64 [1, 2, 3, 1, 2, 3] }

-- ==
-- entry: refined
-- input { [1, 2, 3] } output { [2, 3, 4] }

-- ==
-- entry: two_sizes
-- input { 2i64 3i64 } output { 2i64 3i64 }

-- ==
-- entry: polymorphic
-- input { 3i64 } output { 3i64 }

-- ==
-- entry: derived
-- input { [1f64, 2f64] } output { [2f64, 4f64] }

module type bag = {
  type~ t
  val empty : () -> t
  val of : i64 -> t
  val twice : t -> t
  val size : t -> i64
  val exchanged : (t, t) -> (t, t)
}

module bag : bag = {
  type~ t = []i64
  def empty () : t = []
  def of (n: i64) = iota n
  def twice [n] (xs: [n]i64) = xs ++ xs
  def size [n] (_: [n]i64) = n
  def exchanged [n] [m] (xs: [n]i64, ys: [m]i64) = (ys, xs)
}

entry lengths (n: i64) : (i64, i64, i64) =
  let b = bag.of n
  in (bag.size b, bag.size (bag.twice b), bag.size (bag.empty ()))

entry chosen (c: bool) (n: i64) : i64 =
  let b = if c then bag.of n else bag.of 7
  in bag.size b

entry grown (k: i64) : i64 =
  let b = loop b = bag.of 1 for _i < k do bag.twice b
  in bag.size b

entry kept (n: i64) (m: i64) : (i64, i64) =
  let (x, y) = bag.exchanged (bag.of n, bag.of m)
  in (bag.size x, bag.size y)

-- a function of the user's own, which is not made anew for each call
def halves (b: bag.t) (c: {left: bag.t, right: bag.t}) : {left: bag.t, right: bag.t} =
  if bag.size b > 2 then {left = b, right = c.right} else c

entry shared (n: i64) : (i64, i64) =
  let r = halves (bag.of n) {left = bag.empty (), right = bag.of 1}
  let s = halves (bag.of 1) r
  in (bag.size s.left, bag.size s.right)

module choice
  : {
      type~ t
      val one : i64 -> t
      val two : i64 -> t
      val none : () -> t
      val size : t -> i64
    } = {
  type~ t = #one ([]i32) | #two ([]i32) ([]i32) | #none
  def one (n: i64) : t = #one (replicate n 1)
  def two (n: i64) : t = #two (replicate n 1) (replicate n 2)
  def none () : t = #none
  def size (c: t) : i64 =
    match c
    case #one xs -> length xs
    case #two xs ys -> length xs + length ys
    case #none -> 0
}

entry matched (n: i64) : (i64, i64, i64) =
  (choice.size (choice.one n), choice.size (choice.two n), choice.size (choice.none ()))

module doubling (B: {
  type~ t
  type e
  val join : t -> t -> t
  val sum : t -> i64
  val list : t -> []e
}) = {
  def of (x: B.t) = (B.sum x, B.list (B.join x x))
}

module ints = {
  type~ t = {items: []i32}
  type e = i32
  def join (x: t) (y: t) : t = {items = x.items ++ y.items}
  def sum (x: t) : i64 = i64.i32 (i32.sum x.items)
  def list (x: t) : []i32 = x.items
}

module doubled = doubling ints

entry through_functor (xs: []i32) : (i64, []i32) =
  doubled.of {items = xs}

module type steps = {
  type~ t
  val next : t -> t
}

module up : steps with t = []i32 = {
  type~ t = []i32
  def next (xs: t) : t = map (+ 1) xs
}

entry refined (xs: []i32) : []i32 = up.next xs

module grid
  : {
      type~ grid
      val make : i64 -> i64 -> grid
      val rows : grid -> i64
      val columns : grid -> i64
    } = {
  type~ grid = {cells: [][]f32, heights: []i32}
  def make (n: i64) (m: i64) : grid = {cells = tabulate_2d n m (\_ _ -> 0), heights = replicate (n * m) 1}
  def rows (g: grid) = length g.cells
  def columns [n] [m] [k] (_: {cells: [n][m]f32, heights: [k]i32}) = m
}

entry two_sizes (n: i64) (m: i64) : (i64, i64) =
  let g = grid.make n m
  let h = grid.make m n
  in (grid.rows g, grid.rows h)

def pick '~t (c: bool) (x: t) (y: t) : t = if c then x else y

entry polymorphic (n: i64) : i64 =
  let (b, _) = (pick (n > 2) (bag.of n, 1i32) (bag.of n, 2))
  in bag.size b

module list
  : {
      type~ t
      val of [n] : [n]f64 -> t
      val squares : t -> f64
    } = {
  type~ t = []f64
  def of [n] (xs: [n]f64) : t = xs
  def squares (xs: t) : f64 = f64.sum (map (\x -> x * x) xs)
}

entry derived [n] (xs: [n]f64) : [n]f64 = vjp (\xs -> list.squares (list.of xs)) xs 1
