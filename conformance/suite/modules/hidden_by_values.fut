-- Values and modules share a space of names: a parameter, a binding, or what `open` brings hides the module of its name. By hand; the same in 0.25.32.
module a = {
  type t = {v: i32}
  def v = 1i32
  def of (x: i32) : t = {v = x}
  module b = {def c = 2i32}
}

-- ==
-- entry: parameter
-- input { 3 } output { 3 1 }
def field (a: a.t) = a.v
entry parameter (x: i32) = (field (a.of x), a.v)

-- ==
-- entry: bindings
-- input { 3 } output { 5 7 9 11 13 }
entry bindings (x: i32) =
  ( let a = {v = 2} in a.v + x
  , (\a -> a.v + x) {v = 4}
  , match {v = 6} case a -> a.v + x
  , (loop a = {v = 0} for i < 4 do {v = a.v + 2}).v + x
  , let (a, _) = ({b = {c = 10}}, 0) in a.b.c + x
  )

-- The size `a.n`, too.
module n = {def n = 3i64}

-- ==
-- entry: size
-- input { 2i64 } output { 2i64 }
def ones (n: {n: i64}) : [n.n]i32 = replicate n.n 1
entry size (k: i64) = length (ones {n = k})

module k = {
  def m = {v = 5i32}
  def r = m.v
}

module m = {def v = 1i32}

open k

-- ==
-- entry: opened
-- input { } output { 5 5 5 }
entry opened = (k.r, m.v, k.m.v)

-- A module hides the value, likewise, and the parameter of a functor is hidden by one of a function.
def w = 1i32

module l = {module w = {def v = 7i32}}

open l

module functor (P: {val n : i32}) = {
  def f (P: {n: i32}) = P.n
  def g = P.n
}

module applied = functor {def n = 10i32}

-- ==
-- entry: modules
-- input { 3 } output { 7 13 }
entry modules (x: i32) = (w.v, applied.f {n = x} + applied.g)
