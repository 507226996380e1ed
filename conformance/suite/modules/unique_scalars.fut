-- "*" has no effect in front of a type without arrays: not in module types, nor in the types of functions and parameters. 0.25.32 accepts all of these, and
-- warns of the marks.
-- ==
-- entry: modules
-- input { 2.0f32 } output { 2.0f32 3.0f32 }
module type v = { type t val f : t -> *t }
module a : (v with t = f32) = { type t = f32 def f (x: f32) = x }
module b : (v with t = (f32, i64)) = { type t = (f32, i64) def f = id }
entry modules (x: f32) = (a.f x, (b.f (x + 1.0, 1)).0)

-- The other direction: the module consumes numbers, which the module type does not say.
-- ==
-- entry: consumes
-- input { 2i64 } output { 3i64 3i64 }
module type w = { type t val f : t -> t -> t val g : (t, bool) -> *(t, t) }
module c : (w with t = i64) = { type t = i64 def f (x: *i64) (y: *i64) = x + y def g ((x, _): *(i64, bool)) = (x, x) }
module d : (w with t = {x: i64, y: #p i64 | #q}) = {
  type t = {x: i64, y: #p i64 | #q}
  def f (a: *t) (_: t): *t = a
  def g ((a, _): (t, *bool)) = (a, a)
}
entry consumes (x: i64) = ((c.g (c.f x 1, true)).1, (d.f {x = x + 1, y = #p 1} {x = 0, y = #q}).x)

-- ==
-- entry: parameters
-- input { 2i64 } output { 3i64 4i64 }
def on_number (f: i64 -> *i64) (x: i64) = f x
def on_pair (f: (i64, i64) -> *(i64, i64)) (x: i64) = (f (x, x)).1
entry parameters (x: i64) =
  (on_number (\(y: *i64) -> y + 1) x, on_pair (\((a, b): *(i64, i64)) -> (a, b + 2)) x)

-- ==
-- entry: functors
-- input { 2i64 } output { 4i64 }
module twice (V: { type t val f : t -> *t }) = { def f (x: V.t): *V.t = V.f (V.f x) }
module e = twice { type t = i64 def f (x: i64) = x + 1 }
entry functors (x: i64) = e.f x

-- ==
-- entry: constant
-- input { } output { 3i64 }
def three: *i64 = 3
entry constant = three
