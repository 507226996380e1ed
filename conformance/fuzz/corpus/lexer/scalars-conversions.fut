-- Toward zero from float to integer; the nearest from integer to float: 2^53 + 1 has no f64 of its own.
-- ==
-- input { 2.9 -2.9 9007199254740993i64 }
-- output { 2 -2i64 9007199254740992.0 1.0 0.0f32 }
entry main (x: f64) (y: f64) (n: i64): (i32, i64, f64, f64, f32) =
  (i32.f64 x, i64.f64 y, f64.i64 n, f64.bool true, f32.bool false)

-- From i64 to i32 the low 32 bits stay: 2^32 + 5 is 5, 2^31 is -2^31.
-- ==
-- entry: narrow
-- input { 4294967301i64 2147483648i64 } output { 5 -2147483648 }
entry narrow (x: i64) (y: i64): (i32, i32) = (i32.i64 x, i32.i64 y)
