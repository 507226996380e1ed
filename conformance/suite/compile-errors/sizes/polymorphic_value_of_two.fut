-- The message names the size parameter and the first of the unknown sizes. 0.25.32 rejects it too.
-- ==
-- error: \[n\] is a parameter of "v", and "d1" unknown
def v [n] : ([n]i32, []i32, []i64, []i8, []u8, []f32, []f64) =
  ( replicate n 1, filter (> 1) [1, 2], filter (< 1) [0i64], filter (< 1) [0i8], filter (< 1) [0u8], filter (< 1) [0f32]
  , filter (< 1) [0f64]
  )
entry main (x: i32) = x
