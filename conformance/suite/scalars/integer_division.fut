-- `/` and `%` round toward minus infinity, `//` and `%%` toward zero: -7 = -4*2 + 1 = -3*2 - 1.
-- ==
-- entry: i32
-- input { 7 2 }      output { 3 1 3 1 }
-- input { -7 2 }     output { -4 1 -3 -1 }
-- input { 7 -2 }     output { -4 -1 -3 1 }
-- input { -7 -2 }    output { 3 -1 3 -1 }
entry i32 (x: i32) (y: i32): (i32, i32, i32, i32) = (x / y, x % y, x // y, x %% y)

-- ==
-- entry: i64
-- input { -7i64 2i64 }           output { -4i64 1i64 -3i64 -1i64 }
-- input { 7000000000i64 -3i64 }  output { -2333333334i64 -2i64 -2333333333i64 1i64 }
entry i64 (x: i64) (y: i64): (i64, i64, i64, i64) = (x / y, x % y, x // y, x %% y)
