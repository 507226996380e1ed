-- `>>>` does not keep the sign: -8 is 0xFFFFFFF8, and -1i64 >>> 60 leaves four ones. (Futhark has the operator since 0.26.)
-- ==
-- input { -8 -1i64 }
-- output { 15 15i64 }
entry main (x: i32) (y: i64): (i32, i64) = (x >>> 28, y >>> 60)
