-- Branches, cases, loops, tuples, records and sums at each type, with its extreme values and with nothing. By hand; written by a program of
-- a few lines in another language, and the same in 0.25.32.

-- ==
-- entry: i8_language
-- input { [127i8, -128i8, 1i8, -127i8, 126i8] 2i64 } output { 1i8 true [-128i8, 1i8, -127i8, 126i8, 127i8] 127i8 126i8 [1i8, -128i8, 1i8, -127i8, 126i8] }
-- input { [-128i8, 7i8] 1i64 } output { 7i8 false [7i8, -128i8] -128i8 7i8 [7i8, 7i8] }
-- input { [127i8] 0i64 } output { 127i8 false [127i8] 127i8 127i8 [127i8] }
-- input { empty([0]i8) 0i64 } error: Index \[0\] out of bounds for array of shape \[0\]
entry i8_language [n] (xs: [n]i8) (i: i64) : (i8, bool, [n]i8, i8, i8, [n]i8) =
  let x = xs[i]
  let is_one = match x case 1 -> true case _ -> false
  let turned = loop ys = copy xs for j < n - 1 do
                 let (a, b) = (ys[j], ys[j + 1])
                 in (ys with [j] = b) with [j + 1] = a
  let r = {first = head xs, both = (x, last xs)}
  let s : #some i8 | #none = if i < n then #some r.first else #none
  in (x, is_one, turned, match s case #some y -> y case #none -> x, r.both.1, copy xs with [0] = r.both.0)

-- ==
-- entry: i16_language
-- input { [32767i16, -32768i16, 1i16, -32767i16, 32766i16] 2i64 } output { 1i16 true [-32768i16, 1i16, -32767i16, 32766i16, 32767i16] 32767i16 32766i16 [1i16, -32768i16, 1i16, -32767i16, 32766i16] }
-- input { [-32768i16, 7i16] 1i64 } output { 7i16 false [7i16, -32768i16] -32768i16 7i16 [7i16, 7i16] }
-- input { [32767i16] 0i64 } output { 32767i16 false [32767i16] 32767i16 32767i16 [32767i16] }
-- input { empty([0]i16) 0i64 } error: Index \[0\] out of bounds for array of shape \[0\]
entry i16_language [n] (xs: [n]i16) (i: i64) : (i16, bool, [n]i16, i16, i16, [n]i16) =
  let x = xs[i]
  let is_one = match x case 1 -> true case _ -> false
  let turned = loop ys = copy xs for j < n - 1 do
                 let (a, b) = (ys[j], ys[j + 1])
                 in (ys with [j] = b) with [j + 1] = a
  let r = {first = head xs, both = (x, last xs)}
  let s : #some i16 | #none = if i < n then #some r.first else #none
  in (x, is_one, turned, match s case #some y -> y case #none -> x, r.both.1, copy xs with [0] = r.both.0)

-- ==
-- entry: i32_language
-- input { [2147483647i32, -2147483648i32, 1i32, -2147483647i32, 2147483646i32] 2i64 } output { 1i32 true [-2147483648i32, 1i32, -2147483647i32, 2147483646i32, 2147483647i32] 2147483647i32 2147483646i32 [1i32, -2147483648i32, 1i32, -2147483647i32, 2147483646i32] }
-- input { [-2147483648i32, 7i32] 1i64 } output { 7i32 false [7i32, -2147483648i32] -2147483648i32 7i32 [7i32, 7i32] }
-- input { [2147483647i32] 0i64 } output { 2147483647i32 false [2147483647i32] 2147483647i32 2147483647i32 [2147483647i32] }
-- input { empty([0]i32) 0i64 } error: Index \[0\] out of bounds for array of shape \[0\]
entry i32_language [n] (xs: [n]i32) (i: i64) : (i32, bool, [n]i32, i32, i32, [n]i32) =
  let x = xs[i]
  let is_one = match x case 1 -> true case _ -> false
  let turned = loop ys = copy xs for j < n - 1 do
                 let (a, b) = (ys[j], ys[j + 1])
                 in (ys with [j] = b) with [j + 1] = a
  let r = {first = head xs, both = (x, last xs)}
  let s : #some i32 | #none = if i < n then #some r.first else #none
  in (x, is_one, turned, match s case #some y -> y case #none -> x, r.both.1, copy xs with [0] = r.both.0)

-- ==
-- entry: i64_language
-- input { [9223372036854775807i64, -9223372036854775808i64, 1i64, -9223372036854775807i64, 9223372036854775806i64] 2i64 } output { 1i64 true [-9223372036854775808i64, 1i64, -9223372036854775807i64, 9223372036854775806i64, 9223372036854775807i64] 9223372036854775807i64 9223372036854775806i64 [1i64, -9223372036854775808i64, 1i64, -9223372036854775807i64, 9223372036854775806i64] }
-- input { [-9223372036854775808i64, 7i64] 1i64 } output { 7i64 false [7i64, -9223372036854775808i64] -9223372036854775808i64 7i64 [7i64, 7i64] }
-- input { [9223372036854775807i64] 0i64 } output { 9223372036854775807i64 false [9223372036854775807i64] 9223372036854775807i64 9223372036854775807i64 [9223372036854775807i64] }
-- input { empty([0]i64) 0i64 } error: Index \[0\] out of bounds for array of shape \[0\]
entry i64_language [n] (xs: [n]i64) (i: i64) : (i64, bool, [n]i64, i64, i64, [n]i64) =
  let x = xs[i]
  let is_one = match x case 1 -> true case _ -> false
  let turned = loop ys = copy xs for j < n - 1 do
                 let (a, b) = (ys[j], ys[j + 1])
                 in (ys with [j] = b) with [j + 1] = a
  let r = {first = head xs, both = (x, last xs)}
  let s : #some i64 | #none = if i < n then #some r.first else #none
  in (x, is_one, turned, match s case #some y -> y case #none -> x, r.both.1, copy xs with [0] = r.both.0)

-- ==
-- entry: u8_language
-- input { [255u8, 0u8, 1u8, 1u8, 254u8] 2i64 } output { 1u8 true [0u8, 1u8, 1u8, 254u8, 255u8] 255u8 254u8 [1u8, 0u8, 1u8, 1u8, 254u8] }
-- input { [0u8, 7u8] 1i64 } output { 7u8 false [7u8, 0u8] 0u8 7u8 [7u8, 7u8] }
-- input { [255u8] 0i64 } output { 255u8 false [255u8] 255u8 255u8 [255u8] }
-- input { empty([0]u8) 0i64 } error: Index \[0\] out of bounds for array of shape \[0\]
entry u8_language [n] (xs: [n]u8) (i: i64) : (u8, bool, [n]u8, u8, u8, [n]u8) =
  let x = xs[i]
  let is_one = match x case 1 -> true case _ -> false
  let turned = loop ys = copy xs for j < n - 1 do
                 let (a, b) = (ys[j], ys[j + 1])
                 in (ys with [j] = b) with [j + 1] = a
  let r = {first = head xs, both = (x, last xs)}
  let s : #some u8 | #none = if i < n then #some r.first else #none
  in (x, is_one, turned, match s case #some y -> y case #none -> x, r.both.1, copy xs with [0] = r.both.0)

-- ==
-- entry: u16_language
-- input { [65535u16, 0u16, 1u16, 1u16, 65534u16] 2i64 } output { 1u16 true [0u16, 1u16, 1u16, 65534u16, 65535u16] 65535u16 65534u16 [1u16, 0u16, 1u16, 1u16, 65534u16] }
-- input { [0u16, 7u16] 1i64 } output { 7u16 false [7u16, 0u16] 0u16 7u16 [7u16, 7u16] }
-- input { [65535u16] 0i64 } output { 65535u16 false [65535u16] 65535u16 65535u16 [65535u16] }
-- input { empty([0]u16) 0i64 } error: Index \[0\] out of bounds for array of shape \[0\]
entry u16_language [n] (xs: [n]u16) (i: i64) : (u16, bool, [n]u16, u16, u16, [n]u16) =
  let x = xs[i]
  let is_one = match x case 1 -> true case _ -> false
  let turned = loop ys = copy xs for j < n - 1 do
                 let (a, b) = (ys[j], ys[j + 1])
                 in (ys with [j] = b) with [j + 1] = a
  let r = {first = head xs, both = (x, last xs)}
  let s : #some u16 | #none = if i < n then #some r.first else #none
  in (x, is_one, turned, match s case #some y -> y case #none -> x, r.both.1, copy xs with [0] = r.both.0)

-- ==
-- entry: u32_language
-- input { [4294967295u32, 0u32, 1u32, 1u32, 4294967294u32] 2i64 } output { 1u32 true [0u32, 1u32, 1u32, 4294967294u32, 4294967295u32] 4294967295u32 4294967294u32 [1u32, 0u32, 1u32, 1u32, 4294967294u32] }
-- input { [0u32, 7u32] 1i64 } output { 7u32 false [7u32, 0u32] 0u32 7u32 [7u32, 7u32] }
-- input { [4294967295u32] 0i64 } output { 4294967295u32 false [4294967295u32] 4294967295u32 4294967295u32 [4294967295u32] }
-- input { empty([0]u32) 0i64 } error: Index \[0\] out of bounds for array of shape \[0\]
entry u32_language [n] (xs: [n]u32) (i: i64) : (u32, bool, [n]u32, u32, u32, [n]u32) =
  let x = xs[i]
  let is_one = match x case 1 -> true case _ -> false
  let turned = loop ys = copy xs for j < n - 1 do
                 let (a, b) = (ys[j], ys[j + 1])
                 in (ys with [j] = b) with [j + 1] = a
  let r = {first = head xs, both = (x, last xs)}
  let s : #some u32 | #none = if i < n then #some r.first else #none
  in (x, is_one, turned, match s case #some y -> y case #none -> x, r.both.1, copy xs with [0] = r.both.0)

-- ==
-- entry: u64_language
-- input { [18446744073709551615u64, 0u64, 1u64, 1u64, 18446744073709551614u64] 2i64 } output { 1u64 true [0u64, 1u64, 1u64, 18446744073709551614u64, 18446744073709551615u64] 18446744073709551615u64 18446744073709551614u64 [1u64, 0u64, 1u64, 1u64, 18446744073709551614u64] }
-- input { [0u64, 7u64] 1i64 } output { 7u64 false [7u64, 0u64] 0u64 7u64 [7u64, 7u64] }
-- input { [18446744073709551615u64] 0i64 } output { 18446744073709551615u64 false [18446744073709551615u64] 18446744073709551615u64 18446744073709551615u64 [18446744073709551615u64] }
-- input { empty([0]u64) 0i64 } error: Index \[0\] out of bounds for array of shape \[0\]
entry u64_language [n] (xs: [n]u64) (i: i64) : (u64, bool, [n]u64, u64, u64, [n]u64) =
  let x = xs[i]
  let is_one = match x case 1 -> true case _ -> false
  let turned = loop ys = copy xs for j < n - 1 do
                 let (a, b) = (ys[j], ys[j + 1])
                 in (ys with [j] = b) with [j + 1] = a
  let r = {first = head xs, both = (x, last xs)}
  let s : #some u64 | #none = if i < n then #some r.first else #none
  in (x, is_one, turned, match s case #some y -> y case #none -> x, r.both.1, copy xs with [0] = r.both.0)

-- ==
-- entry: f16_language
-- input { [f16.inf, 65504.0f16, -0.0f16, 5.9604645e-8f16, -f16.inf] 2i64 } output { -0.0f16 false [65504.0f16, -0.0f16, 5.9604645e-8f16, -f16.inf, f16.inf] f16.inf -f16.inf [-0.0f16, 65504.0f16, -0.0f16, 5.9604645e-8f16, -f16.inf] }
-- input { [f16.nan, 1.5f16] 1i64 } output { 1.5f16 false [1.5f16, f16.nan] f16.nan 1.5f16 [1.5f16, 1.5f16] }
-- input { [f16.inf] 0i64 } output { f16.inf false [f16.inf] f16.inf f16.inf [f16.inf] }
-- input { empty([0]f16) 0i64 } error: Index \[0\] out of bounds for array of shape \[0\]
entry f16_language [n] (xs: [n]f16) (i: i64) : (f16, bool, [n]f16, f16, f16, [n]f16) =
  let x = xs[i]
  let is_one = match x case 1 -> true case _ -> false
  let turned = loop ys = copy xs for j < n - 1 do
                 let (a, b) = (ys[j], ys[j + 1])
                 in (ys with [j] = b) with [j + 1] = a
  let r = {first = head xs, both = (x, last xs)}
  let s : #some f16 | #none = if i < n then #some r.first else #none
  in (x, is_one, turned, match s case #some y -> y case #none -> x, r.both.1, copy xs with [0] = r.both.0)

-- ==
-- entry: f32_language
-- input { [f32.inf, 3.4028235e38f32, -0.0f32, 1.0e-45f32, -f32.inf] 2i64 } output { -0.0f32 false [3.4028235e38f32, -0.0f32, 1.0e-45f32, -f32.inf, f32.inf] f32.inf -f32.inf [-0.0f32, 3.4028235e38f32, -0.0f32, 1.0e-45f32, -f32.inf] }
-- input { [f32.nan, 1.5f32] 1i64 } output { 1.5f32 false [1.5f32, f32.nan] f32.nan 1.5f32 [1.5f32, 1.5f32] }
-- input { [f32.inf] 0i64 } output { f32.inf false [f32.inf] f32.inf f32.inf [f32.inf] }
-- input { empty([0]f32) 0i64 } error: Index \[0\] out of bounds for array of shape \[0\]
entry f32_language [n] (xs: [n]f32) (i: i64) : (f32, bool, [n]f32, f32, f32, [n]f32) =
  let x = xs[i]
  let is_one = match x case 1 -> true case _ -> false
  let turned = loop ys = copy xs for j < n - 1 do
                 let (a, b) = (ys[j], ys[j + 1])
                 in (ys with [j] = b) with [j + 1] = a
  let r = {first = head xs, both = (x, last xs)}
  let s : #some f32 | #none = if i < n then #some r.first else #none
  in (x, is_one, turned, match s case #some y -> y case #none -> x, r.both.1, copy xs with [0] = r.both.0)

-- ==
-- entry: f64_language
-- input { [f64.inf, 1.7976931348623157e308f64, -0.0f64, 5.0e-324f64, -f64.inf] 2i64 } output { -0.0f64 false [1.7976931348623157e308f64, -0.0f64, 5.0e-324f64, -f64.inf, f64.inf] f64.inf -f64.inf [-0.0f64, 1.7976931348623157e308f64, -0.0f64, 5.0e-324f64, -f64.inf] }
-- input { [f64.nan, 1.5f64] 1i64 } output { 1.5f64 false [1.5f64, f64.nan] f64.nan 1.5f64 [1.5f64, 1.5f64] }
-- input { [f64.inf] 0i64 } output { f64.inf false [f64.inf] f64.inf f64.inf [f64.inf] }
-- input { empty([0]f64) 0i64 } error: Index \[0\] out of bounds for array of shape \[0\]
entry f64_language [n] (xs: [n]f64) (i: i64) : (f64, bool, [n]f64, f64, f64, [n]f64) =
  let x = xs[i]
  let is_one = match x case 1 -> true case _ -> false
  let turned = loop ys = copy xs for j < n - 1 do
                 let (a, b) = (ys[j], ys[j + 1])
                 in (ys with [j] = b) with [j + 1] = a
  let r = {first = head xs, both = (x, last xs)}
  let s : #some f64 | #none = if i < n then #some r.first else #none
  in (x, is_one, turned, match s case #some y -> y case #none -> x, r.both.1, copy xs with [0] = r.both.0)

-- ==
-- entry: bool_language
-- input { [true, false, false, true, true] 2i64 } output { false false [false, false, true, true, true] true true [false, false, false, true, true] }
-- input { [false, true] 1i64 } output { true true [true, false] false true [true, true] }
-- input { [true] 0i64 } output { true true [true] true true [true] }
-- input { empty([0]bool) 0i64 } error: Index \[0\] out of bounds for array of shape \[0\]
entry bool_language [n] (xs: [n]bool) (i: i64) : (bool, bool, [n]bool, bool, bool, [n]bool) =
  let x = xs[i]
  let is_one = match x case true -> true case _ -> false
  let turned = loop ys = copy xs for j < n - 1 do
                 let (a, b) = (ys[j], ys[j + 1])
                 in (ys with [j] = b) with [j + 1] = a
  let r = {first = head xs, both = (x, last xs)}
  let s : #some bool | #none = if i < n then #some r.first else #none
  in (x, is_one, turned, match s case #some y -> y case #none -> x, r.both.1, copy xs with [0] = r.both.0)
