-- ==
-- input { 3.0 4.0 }
-- output { 5.0 25.0 7.0 }
module vector = {
  def dot (a: f64, b: f64) (c: f64, d: f64): f64 = a * c + b * d
  def norm v: f64 = f64.sqrt (dot v v)
  module one_norm = {
    def norm (a: f64, b: f64): f64 = f64.abs a + f64.abs b
  }
}

entry main (x: f64) (y: f64): (f64, f64, f64) =
  (vector.norm (x, y), vector.dot (x, y) (x, y), vector.one_norm.norm (x, y))
