-- More of abstract types with computed sizes: sizes of their own, of branches and loops in the module, and in functors. By hand; the same in 0.25.32.
module tree : {
  type~ tree
  val make [n] : [n]i64 -> tree
  val grow : tree -> tree
  val get : tree -> i64
} = {
  def size (n: i64) = if n < 4 then 4 else loop m = 4 while m < n do 2 * m
  module inner : { type t [n] val of [n] : [n]i64 -> t [n] val sum [n] : t [n] -> i64 val xs [n] : t [n] -> [n]i64 } = {
    type t [n] = {given: [n]i64, padded: [size n]i64}
    def of [n] (xs: [n]i64) : t [n] = {given = xs, padded = tabulate (size n) (\i -> if i < n then xs[i] else 1)}
    def sum [n] (t: t [n]) = i64.sum t.padded
    def xs [n] (t: t [n]) = t.given
  }
  type~ tree = ?[n].inner.t [n]
  def make [n] (xs: [n]i64) : tree = inner.of xs
  def grow (t: tree) : tree = inner.of (inner.xs t ++ [2])
  def get (t: tree) = inner.sum t
}
-- ==
-- entry: straight
-- input { [4i64, 5i64, 6i64] } output { 16i64 17i64 }
def made (xs: []i64) = tree.make xs
entry straight (xs: []i64) = (tree.get (made xs), tree.get (tree.grow (tree.make xs)))

-- ==
-- entry: branch
-- input { [4i64, 5i64, 6i64] } output { 17i64 }
-- input { [4i64, 5i64] } output { 11i64 }
entry branch (xs: []i64) = tree.get (if length xs > 2 then tree.grow (tree.make xs) else tree.make xs)

-- ==
-- entry: loop_
-- input { [4i64, 5i64] 3i64 } output { 18i64 }
-- input { [4i64, 5i64] 0i64 } output { 11i64 }
entry loop_ (xs: []i64) (k: i64) = tree.get (loop t = tree.make xs for _i < k do tree.grow t)

-- ==
-- entry: record
-- input { [4i64, 5i64] 7i64 } output { 30i64 }
entry record (xs: []i64) (k: i64) =
  let r = {t = tree.make xs, others = (k, tree.make [1])}
  let r = r with t = tree.grow r.t
  in tree.get r.t + r.others.0 + tree.get r.others.1 + (match (#two r.t r.t: #two tree.tree tree.tree) case #two a b -> tree.get a - tree.get b + 7)

-- ==
-- entry: sum
-- input { [4i64, 5i64] true } output { 11i64 }
-- input { [4i64, 5i64] false } output { -2i64 }
type~ maybe = #some tree.tree | #none i64
def may (xs: []i64) (c: bool): maybe = if c then #some (tree.make xs) else #none (-2)
entry sum (xs: []i64) (c: bool) = match may xs c case #some t -> tree.get t case #none x -> x

-- ==
-- entry: applied
-- input { [4i64, 5i64] } output { 12i64 11i64 }
def apply '^a '~b (f: a -> b) (x: a) : b = f x
entry applied (xs: []i64) = (tree.get (tree.make xs |> tree.grow), tree.get (apply (\ys -> tree.make ys) xs))

module type shape = { val k : i64 }
module grid (S: shape) : { type t [n] val zero : (n: i64) -> t [n] val add [n] : t [n] -> t [n] -> t [n] val at [n] : t [n] -> i64 -> i64 } = {
  type t [n] = [n][S.k * n]i64
  def zero n : t [n] = tabulate_2d n (S.k * n) (\i j -> i + j)
  def add [n] (a: t [n]) (b: t [n]) : t [n] = map2 (map2 (+)) a b
  def at [n] (t: t [n]) (i: i64) = t[i, S.k * n - 1]
}
module g = grid { def k = i64.i32 (if true then 2 else 3) }
-- ==
-- entry: grids
-- input { 2i64 3i64 } output { 8i64 53i64 }
entry grids (n: i64) (k: i64) =
  let a = loop a = g.zero n for _i < 1i64 do g.add a a
  let bs = map (\i -> g.add (g.zero n) (if i > 0 then g.zero n else a)) (iota k)
  in (g.at a 1, i64.sum (map (\b -> g.at b 1) bs) + g.at (loop b = bs[0] for c in bs do g.add b c) 0 - 5)

-- Of a function in a functor, which is given to others.
module stack (P: { type t val init : t val push : i64 -> t -> t val top : t -> i64 }) = {
  def run (n: i64) = loop s = P.init for i < n do P.push i s
  def top (n: i64) = P.top (run n)
}
module s = stack {
  module inner : { type t val init : t val push : i64 -> t -> t val top : t -> i64 } = {
    def depth = length (filter (> 0) [1, 0, 3, 4i64])
    type t = {vals: [depth]i64, at: i64}
    def init : t = {vals = replicate depth (-1), at = 0}
    def push (x: i64) (t: t) : t = {vals = map2 (\i v -> if i == t.at then x else v) (iota depth) t.vals, at = (t.at + 1) % depth}
    def top (t: t) = t.vals[(t.at + depth - 1) % depth] + depth
  }
  open inner
}
-- ==
-- entry: stacks
-- input { 5i64 } output { 7i64 2i64 }
entry stacks (n: i64) = (s.top n, s.top 0)
