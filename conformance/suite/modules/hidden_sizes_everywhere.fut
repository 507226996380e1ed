-- Values of abstract types with computed sizes in constants, records of functions, sums, arrays, recursive and polymorphic functions, derivatives and entry points. By
-- hand; the same in 0.25.32, which knows no recursion.
module m : {
  type t
  type~ l
  type s [n] 'a
  val mk : i64 -> t
  val get : t -> i64
  val l : i64 -> l
  val size : l -> i64
  val join : l -> l -> l
  val s [n] 'a : [n]a -> a -> s [n] a
  val tail [n] 'a : s [n] a -> []a
  val lens [n] 'a : s [n] a -> i64
  val grow [n] 'a : s [n] a -> ?[k].s [k] a
  val default : t
  val both : (t, i64)
  val fs : {f: i64 -> t, g: t -> i64}
} = {
  def k = length (filter (> 2) (iota 6))
  def sq (n: i64) = n * n
  type t = {a: [k](i64, bool), b: [sq k]i64}
  type~ l = {xs: []i64, ys: ?[n].[n][k]i64}
  type s [n] 'a = ([n]a, [sq n]a)
  def mk (x: i64) : t = {a = replicate k (x, true), b = map (+ x) (iota (sq k))}
  def get (t: t) = t.a[k - 1].0 + t.b[sq k - 1]
  def l (n: i64) : l = {xs = iota n, ys = replicate (n + 1) (replicate k n)}
  def size (l: l) = length l.xs + length l.ys
  def join (a: l) (b: l) : l = {xs = a.xs ++ b.xs, ys = a.ys ++ b.ys}
  def s [n] 'a (xs: [n]a) (x: a) : s [n] a = (xs, replicate (sq n) x)
  def tail [n] 'a ((_, ys): s [n] a) = ys
  def lens [n] 'a ((xs, ys): s [n] a) = length xs * 100 + length ys
  def grow [n] 'a ((xs, ys): s [n] a) = s (xs ++ ys) xs[0]
  def default = mk 1
  def both = (mk 2, 3i64)
  def fs = {f = mk, g = get}
}
-- ==
-- entry: consts
-- input { true } output { 9i64 13i64 }
-- input { false } output { 10i64 13i64 }
entry consts (c: bool) = (m.get (if c then m.default else m.both.0) - (if c then 1 else 2), m.fs.g (m.fs.f 2) + m.both.1 - 2)

-- ==
-- entry: lists
-- input { 3i64 } output { 7i64 23i64 14i64 }
entry lists (n: i64) =
  let a = m.l n
  let b = loop b = a for i < 4 do if i % 2 == 0 then m.join b (m.l i) else b
  let c = match (if n > 2 then #yes a else #no n : #yes m.l | #no i64) case #yes x -> m.join x x case #no y -> m.l y
  in (m.size a, m.size b + 10, m.size c)

-- ==
-- entry: sized
-- input { [1i64, 2i64] } output { 204i64 609i64 5964i64 [5i64, 5i64, 5i64, 5i64] }
entry sized (xs: []i64) =
  let s = m.s xs 5
  let g = m.grow s
  let h = if length xs > 1 then g else m.s (filter (> 1) xs) 0
  in (m.lens s, m.lens h - 27, m.lens (m.grow h), m.tail s)

-- ==
-- entry: arrays
-- input { [[1i64, 2i64], [3i64, 4i64]] } output { [204i64, 204i64] 8i64 [[7i64, 7i64, 7i64, 7i64], [7i64, 7i64, 7i64, 7i64]] }
entry arrays [n] (xss: [n][2]i64) =
  let ss = map (\xs -> m.s xs 7) xss
  let ts = map (\xs -> m.mk xs[0]) xss
  let ts = scan (\a b -> if m.get a > m.get b then a else b) m.default ts
  let us = ts with [0] = m.mk 0
  let vs = loop vs = us for i < 2i64 do vs with [i] = m.mk (i - 1)
  let ws = map2 (\t c -> if c then t else m.default) vs (tabulate n (== 0)) |> reverse
  in (map m.lens ss, m.get ws[0] + m.get (head vs) - 8, map (\s -> m.tail s :> [4]i64) ss)

def recursive (n: i64) (t: m.t) : m.t = if n == 0 then t else recursive (n - 1) (m.mk (m.get t))
def rec_list (n: i64) (t: m.l) : m.l = if n == 0 then t else rec_list (n - 1) (m.join t (m.l n))
-- ==
-- entry: recursion
-- input { 2i64 } output { 63i64 9i64 }
entry recursion (n: i64) = (m.get (recursive n (m.mk 1)) - 1, m.size (rec_list n (m.l 0)))

def apply '^a '~b (f: a -> b) (x: a) : b = f x
def twice '~a (f: a -> a) (x: a) = f (f x)
-- ==
-- entry: polymorphic
-- input { 2i64 } output { 5i64 11i64 10i64 }
entry polymorphic (n: i64) = (m.size (apply m.l n), m.size (twice (\l -> m.join l (m.l 1)) (m.l n)), m.get (twice id (m.mk 1)))

-- ==
-- entry: derivative
-- input { 2.0 } output { 12.0 }
module d : { type t val of : f64 -> t val sum : t -> f64 } = {
  def k = i64.f64 3.0
  type t = [k]f64
  def of (x: f64) : t = map (\i -> x ** f64.i64 i) (iota k)
  def sum (t: t) = f64.sum t
}
entry derivative (x: f64) = vjp (\x -> d.sum (loop t = d.of x for i < 1i64 do if i > 0 then d.of 0 else t)) x 1 + 7
entry t1 (n: i64) : m.t = m.mk n
entry t2 (n: i64) : m.l = m.l n
entry t3 (n: i64) : [](m.t) = replicate n m.default
entry t4 (t: m.t) (l: m.l) = m.get t + m.size l
entry t5 [n] (s: m.s [n] i64) = m.lens s
