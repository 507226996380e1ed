-- Imported by lifted_of_file.fut and size_lifted_of_file.fut.
module m : { type^ t val f : t val ap : t -> i32 -> i32 } = { type^ t = i32 -> i32 def f (x: i32) = x + 1 def ap (f: t) (x: i32) = f x }
module n : { type~ t val mk : i64 -> t val len : t -> i64 } = { type~ t = []i64  def mk (n: i64) = iota n def len [n] (_: [n]i64) = n }
