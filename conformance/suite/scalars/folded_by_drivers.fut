-- What compilers of drivers have folded wrongly.

-- NVIDIA's have counted the sign of what is read from memory among the bits of a narrow number: -3 is 11111101, 33930 is 1000010010001010.
-- ==
-- entry: bits_of_narrow
-- input { [-3i8, 3i8, -128i8] [33930u16, 0u16, 65535u16] [-2i16, 5i16, -32768i16] }
-- output { [7u16, 2u16, 1u16] [5u8, 0u8, 16u8] [15i64, 2i64, 1i64] }
entry bits_of_narrow [n] (a: [n]i8) (b: [n]u16) (c: [n]i16) : ([n]u16, [n]u8, [n]i64) =
  (map (\x -> u16.i32 (i8.popc x)) a, map (\x -> u8.i32 (u16.popc x)) b, map (\x -> i64.i32 (i16.popc x)) c)

-- They have held that a constant NaN is itself: the greater one of a number and NaN is the number.
-- ==
-- entry: greater_than_nan
-- input { 2i64 [0.0f64, 1.0f64, 7.0f64] }
-- output { [0, 1, 7] }
entry greater_than_nan [n] (k: i64) (xs: [n]f64) : [n]i32 =
  map (\x -> let y = loop y = x for i < k do f64.max (f64.max 0 (f64.i32 (i32.f64 y))) f64.nan
             in i32.f64 y) xs

-- One of them makes nothing of the sign of an integer that is converted.
-- ==
-- entry: signs
-- input { [-3i8, 0i8, 5i8] [-7i16, 0i16, 300i16] [-9i64, 0i64, 5000000000i64] }
-- output { [-1i32, 0i32, 1i32] [-1i8, 0i8, 1i8] [-1i32, 0i32, 1i32] }
entry signs [n] (a: [n]i8) (b: [n]i16) (c: [n]i64) : ([n]i32, [n]i8, [n]i32) =
  (map (\x -> i32.i8 (i8.sgn x)) a, map (\x -> i8.i16 (i16.sgn x)) b, map (\x -> i32.i64 (i64.sgn x)) c)

-- They make a choice of a product with the lowest bit of what a loop reads, and have chosen the other factor whatever the bit was.
-- ==
-- entry: product_of_bits
-- input { 1i64 [[0u64, 0u64, 0u64], [2u64, 0u64, 0u64], [5u64, 0u64, 0u64]] }
-- output { [0i32, 0i32, 1i32] [0u64, 0u64, 7u64] [0i64, 0i64, 1i64] }
-- input { 3i64 [[1u64, 3u64, 5u64], [1u64, 3u64, 18446744073709551614u64], [18446744073709551615u64, 1u64, 3u64]] }
-- output { [1i32, 0i32, 1i32] [21u64, 14u64, 21u64] [1i64, 0i64, 1i64] }
entry product_of_bits [n] (k: i64) (rows: [n][3]u64) : ([n]i32, [n]u64, [n]i64) =
  let at (row: [3]u64) = map (\i -> row[i % 3]) (iota k)
  in (map (\row -> i32.product (map (\x -> i32.u32 (u32.u64 x & 1)) (at row))) rows,
      map (\row -> u64.sum (map (\x -> 7 * (x % 2)) (at row))) rows,
      map (\row -> i64.product (map (\x -> i64.u64 x % 2) (at row))) rows)
