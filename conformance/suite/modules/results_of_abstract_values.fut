-- The result of a function may share memory with values of the top level whose type is abstract, or that are functions: of these no aliases are tracked.
-- 0.25.32 accepts all
-- of these.
module v : {
  type v 'a
  val iota : v i64
  val map2 'a 'b 'c : (a -> b -> c) -> v a -> v b -> v c
  val of 'a : [2]a -> v a
  val to 'a : v a -> [2]a
  val both : {a: v i64, n: i64}
} = {
  type v 'a = [2]a
  def iota = iota 2
  def map2 = map2
  def of 'a (x: [2]a) = x
  def to 'a (x: [2]a) = x
  def both = {a = [4i64, 5], n = 6i64}
}
-- ==
-- entry: value
-- input { [1i64, 2i64] } output { [1i64, 3i64] [0i64, 1i64] [4i64, 5i64] }
def f (xs: [2]i64) = v.to (v.map2 (+) (v.of xs) v.iota)
def g (_: i64) = v.to v.iota
def h (_: i64) = v.to v.both.a
entry value (xs: [2]i64) = (copy (f xs), copy (g 1), copy (h 2))

-- Of a result that is marked, too; what it is updated to, the others do not see.
-- ==
-- entry: updated
-- input { [1i64, 2i64] } output { [9i64, 1i64] [0i64, 1i64] }
def own (_: i64): *[2]i64 = v.to v.iota
entry updated (_: [2]i64) = let a = own 1 with [0] = 9 in (a, own 2)

-- ==
-- entry: function
-- input { 1i64 } output { [1i64, 7i64] [7i64, 7i64] }
def table = let t = [7i64, 7] in \(i: i64) -> if i == 0 then t else [i, 7]
def part: {f: i64 -> [2]i64, n: i64} = {f = table, n = 3}
entry function (i: i64) = (copy (table i), copy (part.f 0))

-- ==
-- entry: sum
-- input { 1i64 } output { [0i64, 1i64] }
def maybe: #some (v.v i64) | #none = #some v.iota
def of_sum (_: i64) = match maybe case #some x -> v.to x case #none -> [3, 4]
entry sum (i: i64) = copy (of_sum i)
