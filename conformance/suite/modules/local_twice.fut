-- What is local may be defined again, by a local definition and by one that is not: each use means the last before it (0.25.32 accepts it; by hand).
local def f (x: i32) = x + 1
def before (x: i32) = f x
local def f (x: i32) = x + 10
def between (x: i32) = f x
def f (x: i32) = x + 100
module m = {
  local type t = i32
  def one (x: t) : t = x + 1
  local type t = i64
  def two (x: t) : t = x + 2
}
-- ==
-- entry: main
-- input { 5 } output { 6 15 105 6 7i64 }
entry main (x: i32) = (before x, between x, f x, m.one x, m.two (i64.i32 x))
