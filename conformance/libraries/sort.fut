-- Radix sort. Expected values by hand.
import "/prelude/lib/sort"

-- ==
-- entry: signed
-- input { [3i8, -1i8, 127i8, -128i8, 0i8] [3i16, -300i16, 3i16] [5, -2147483648, 2147483647, 0, -1] [1i64, -9223372036854775808i64, 5000000000i64, -5000000000i64] }
-- output { [-128i8, -1i8, 0i8, 3i8, 127i8] [-300i16, 3i16, 3i16] [-2147483648, -1, 0, 5, 2147483647] [-9223372036854775808i64, -5000000000i64, 1i64, 5000000000i64] }
-- input { empty([0]i8) [1i16] empty([0]i32) [2i64, 1i64] } output { empty([0]i8) [1i16] empty([0]i32) [1i64, 2i64] }
entry signed [n][m][k][l] (a: [n]i8) (b: [m]i16) (c: [k]i32) (d: [l]i64) : ([n]i8, [m]i16, [k]i32, [l]i64) =
  (sort_i8 a, sort_i16 b, sort_i32 c, sort_i64 d)

-- ==
-- entry: unsigned
-- input { [3u8, 255u8, 128u8, 0u8] [3u16, 65535u16, 0u16] [4294967295u32, 0u32, 2147483648u32] [18446744073709551615u64, 9223372036854775808u64, 7u64] }
-- output { [0u8, 3u8, 128u8, 255u8] [0u16, 3u16, 65535u16] [0u32, 2147483648u32, 4294967295u32] [7u64, 9223372036854775808u64, 18446744073709551615u64] }
entry unsigned [n][m][k][l] (a: [n]u8) (b: [m]u16) (c: [k]u32) (d: [l]u64) : ([n]u8, [m]u16, [k]u32, [l]u64) =
  (sort_u8 a, sort_u16 b, sort_u32 c, sort_u64 d)

-- ==
-- entry: floats
-- input { [1.5f16, -2f16, 0f16] [1.5f32, -f32.inf, f32.inf, -1e-40f32] [3.0, -1.0, -2.5, 1e-300, 0.0] }
-- output { [-2f16, 0f16, 1.5f16] [-f32.inf, -1e-40f32, 1.5f32, f32.inf] [-2.5, -1.0, 0.0, 1e-300, 3.0] }
entry floats [n][m][k] (a: [n]f16) (b: [m]f32) (c: [k]f64) : ([n]f16, [m]f32, [k]f64) = (sort_f16 a, sort_f32 b, sort_f64 c)

-- An odd number of bits: by the lowest three, so 8 is 0 and 11 is 3. What is the same stays in its order.
-- ==
-- entry: three_bits
-- input { [11, 3, 8, 0, 7, 4, 12, 1] } output { [8, 0, 1, 11, 3, 4, 12, 7] }
entry three_bits [n] (xs: [n]i32) : [n]i32 = radix_sort 3 i32.get_bit xs

-- Pairs by their first component; rows by their last element.
-- ==
-- entry: by_key
-- input { [3, -1, 3, 0] [10i64, 20i64, 30i64, 40i64] [[1.0, 9.0], [2.0, -3.0], [3.0, 9.0]] }
-- output { [-1, 0, 3, 3] [20i64, 40i64, 10i64, 30i64] [[2.0, -3.0], [1.0, 9.0], [3.0, 9.0]] }
entry by_key [n][m] (a: [n]i32) (b: [n]i64) (rows: [m][2]f64) : ([n]i32, [n]i64, [m][2]f64) =
  let (a, b) = unzip (sort_by_key (.0) radix_sort_int i32.num_bits i32.get_bit (zip a b))
  in (a, b, sort_by_key last radix_sort_float f64.num_bits f64.get_bit rows)

-- The adjoint of an element is that of its place: 3 goes to place 2, 1 to 0, 2 to 1, with adjoints 10, 20, 30.
-- ==
-- entry: derivative
-- input { [3.0, 1.0, 2.0] } output { [30.0, 10.0, 20.0] }
entry derivative [n] (xs: [n]f64) : [n]f64 = vjp sort_f64 xs (map (\i -> 10 * f64.i64 (i + 1)) (iota n))

-- 200 numbers that look random (x*x + 7x mod 1009), against the number of smaller ones and of equal ones before them.
-- ==
-- entry: many
-- input { 200i64 } output { true }
entry many (n: i64) : bool =
  let xs = map (\x -> (x * x + 7 * x) % 1009) (iota n)
  let ranks = map2 (\x i -> i64.sum (map2 (\y j -> i64.bool (y < x || (y == x && j < i))) xs (iota n))) xs (iota n)
  in all id (map2 (==) (sort_i64 xs) (scatter (replicate n 0) ranks xs))
