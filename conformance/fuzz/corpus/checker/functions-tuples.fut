-- ==
-- input { 1 2.5 true }
-- output { true 2.5 1 3.5 }
def rotate3 (a, b, c) = (c, b, a)

entry main (x: i32) (y: f64) (z: bool): (bool, f64, i32, f64) =
  let t = rotate3 (x, y, z)
  in (t.0, t.1, t.2, t.1 + f64.i32 t.2)
