-- A type with unknown sizes, or with functions, as the argument of a type: what comes of it is as lifted as the argument. 0.25.32 accepts all of these.
-- ==
-- entry: record
-- input { 3i64 } output { 3i64 }
type~ ctx = i64
type box 'c = {c: c}
def f (x: ctx): box ctx = {c = x}
entry record (x: i64) = (f x).c

-- ==
-- entry: unknown_size
-- input { 3i64 } output { 3i64 5i64 }
type~ nums = []i64
type opt 'c = #some c | #none
type~ boxes = box (opt nums)
def g (n: i64): boxes = {c = if n > 0 then #some (iota n) else #none}
def size (b: boxes) = match b.c case #some xs -> length xs case #none -> 5
entry unknown_size (n: i64) = (size (g n), size (g 0))

-- ==
-- entry: existential
-- input { 3i64 } output { 6i64 }
type pair 'a = (a, a)
type~ pairs = pair (?[n].[n]i64)
def h (p: pairs) = length p.0 + length p.1
entry existential (n: i64) = h (iota n, replicate n 1)

-- ==
-- entry: function
-- input { 3i64 } output { 4i64 }
type^ fun = i64 -> i64
def k (x: fun): box fun = {c = x}
entry function (x: i64) = (k (+ 1)).c x

-- ==
-- entry: functor
-- input { 3i64 } output { 3i64 2i64 }
module type key = { type~ ctx val of : i64 -> ctx val get : ctx -> i64 }
module hashmap (K: key) = {
  type~ ctx = K.ctx
  type map 'c = {ctx: c, n: i64}
  def empty (x: i64): map ctx = {ctx = K.of x, n = 0}
  def get (m: map ctx) = K.get m.ctx + m.n
}
module h1 = hashmap { type~ ctx = [] i64 def of = iota def get [n] (_: [n]i64) = n }
module h2 = hashmap { type ctx = i64 def of (x: i64) = x - 1 def get (x: i64) = x }
entry functor (x: i64) = (h1.get (h1.empty x), h2.get (h2.empty x))
