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

-- An f64 becomes the nearest f16, as if it had never been an f32. Between 1 and 1 + 2^-10 lies 0x1.002p0, which goes to 1, the even one; an f32 step is
-- 0x0.000002p0. 3/4 and 1.75 steps above it are nearer to 1 + 2^-10, as are 1.75 steps below 0x1.006p0, the middle that goes up, to 1 + 2^-9. By hand.
-- ==
-- entry: rounded_once
-- input { } output { [1.0f16, 1.0009765625f16, 1.0009765625f16, 1.0009765625f16, 1.001953125f16] }
entry rounded_once : []f16 =
  map f16.f64 [0x1.002p0, 0x1.0020018p0, 0x1.0020038p0, 0x1.005ffc8p0, 0x1.006p0]
