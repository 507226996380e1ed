-- Digest 004, appendix B, P7: a function with its data, as a module with an abstract type. The product with pi is cut to an integer twice: 3 and 9, 6 and 18, …
-- ==
-- entry: foo
-- input { [1, 2, 3, 4, 5] } output { [5, 6, 7, 8, 9] }

-- ==
-- entry: bar
-- input { [1, 2, 3, 4, 5] } output { [9, 18, 28, 37, 47] }
module type closure = {
  type t
  val f : t -> i32 -> i32
}
module twice (P: closure) = {
  def g [n] (x: P.t) (xs: [n]i32) : [n]i32 = map (P.f x) (map (P.f x) xs)
}
module increment_twice = twice {
  type t = i32
  def f (x: i32) (y: i32) : i32 = x + y
}
module scale_twice = twice {
  type t = f64
  def f (x: f64) (y: i32) : i32 = i32.f64 (x * f64.i32 y)
}

entry foo (xs: []i32) : []i32 = increment_twice.g 2 xs
entry bar (xs: []i32) : []i32 = scale_twice.g f64.pi xs
