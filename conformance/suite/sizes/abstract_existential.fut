-- A value of an abstract type shows its size, so that an existential size may stand there. By hand; the same in 0.25.32.
module m : { type t [n] val of [n] : [n]i32 -> t [n] val sum [n] : t [n] -> i32 val size [n] : t [n] -> i64 } =
  { type t [n] = [n]i32 def of [n] (xs: [n]i32) = xs def sum [n] (xs: [n]i32) = i32.sum xs def size [n] (_: [n]i32) = n }
def positive (xs: []i32) : ?[n].m.t [n] = m.of (filter (> 0) xs)
-- ==
-- entry: main
-- input { [1, -2, 4] } output { 5 2i64 }
-- input { empty([0]i32) } output { 0 0i64 }
entry main (xs: []i32) : (i32, i64) = let ys = positive xs in (m.sum ys, m.size ys)
