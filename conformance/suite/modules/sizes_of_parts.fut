-- Sizes that a module type names: in its types, and in a module of it, whose size it names too. 0.25.32 accepts it. By hand:
-- short is (0 + 0 + 7) + (1 + 1 + 7) = 16, long is (0 + 1 + 2) + 3 * 10 = 33, and of the module itself 10 * (0 + 1 + 2) + (0 + 5) + (1 + 5) = 41.
-- ==
-- input { 2i64 } output { 413318i64 }
module type s = {
  val n: i64
  type vec = [n]i64
  val xs: [n]i64
  val v: vec
  module inner: { val k: i64 val ys: [k]i64 val ws: [n]i64 }
  val zs: [inner.k]i64
}
module p: s = {
  def n = 2i64
  type vec = [n]i64
  def xs = iota n
  def v: vec = replicate n 7
  module inner = { def k = 3i64 def ys = iota k def ws = replicate n 5i64 }
  def zs : [inner.k]i64 = replicate inner.k 10
}
module sums (m: s) = {
  def short = reduce (+) 0 (map3 (\x i v -> x + i + v) m.xs (iota m.n) m.v)
  def long = reduce (+) 0 (map2 (+) m.inner.ys m.zs)
}
module q = sums p
def own : p.vec = map2 (+) p.xs p.inner.ws
entry main (x: i64) =
  q.short + 100 * q.long + 10000 * (reduce (+) 0 (map2 (*) p.inner.ys p.zs) + reduce (+) 0 own) + x
