-- Literals (language reference, "Literals"): the forms of numbers, their suffixes, characters and strings. By hand; the same in 0.25.32.

-- ==
-- entry: integers
-- input { } output { [255, 255, 10, -10, 1000000, 2147483647, -2147483648, 31, 0, 7] }
entry integers : []i32 = [0xFF, 0XfF, 0b1010, -0b1010, 1_000_000, 0x7FFF_FFFF, -2147483648, 0x1F, 0b0, 007]

-- ==
-- entry: suffixes
-- input { } output { -128i8 65535u16 -9223372036854775808i64 18446744073709551615u64 255u8 }
entry suffixes : (i8, u16, i64, u64, u8) = (-128i8, 65535u16, -9223372036854775808i64, 0xFFFFFFFFFFFFFFFFu64, 0xFFu8)

-- With the suffix of a signed type, a hexadecimal or binary literal gives all bits of the number: from 80 on the sign is set. The least number of a type is
-- its own negation.
-- ==
-- entry: bits
-- input { -1i8 } output { [-128i8, -1i8, -127i8, 127i8, -128i8, 1i8] -32768i16 -1i32 -9223372036854775808i64 7i32 }
entry bits (x: i8) : ([]i8, i16, i32, i64, i32) =
  let n = match x
          case -0x80i8 -> 5i32
          case 0x7Fi8 -> 6
          case 0xFFi8 -> 7
          case _ -> 8
  in ([0x80i8, 0xFFi8, 0b1000_0001i8, 0x7Fi8, -0x80i8, -0xFFi8], 0x8000i16, 0xFFFF_FFFFi32, 0x8000_0000_0000_0000i64, n)

-- Roman numerals: 10 + 5 - 1, 1000 + (1000 - 100) + (100 - 10) + (5 - 1), (500 - 100) + (50 - 10) + (10 - 1) and so on.
-- ==
-- entry: roman
-- input { } output { [14i16, 1994i16, 449i16, 9i16, 3i16, 60i16] 16u8 }
entry roman : ([]i16, u8) = ([0rXIV, 0RMCMXCIV, 0rCDXLIX, 0rIX, 0rIII, 0rLX], 0rXVIu8)

-- 0x1.8p1 is 1.5 times 2; 0x0.8p-1 a quarter.
-- ==
-- entry: floats
-- input { } output { [1.5, 0.001, 1000.0, 0.25, 3.0, 0.25, 123.456, 2.0] }
entry floats : []f64 = [1.5, 1e-3, 1E3, 0.25, 0x1.8p1, 0x0.8p-1, 1_23.4_56, 2]

-- ==
-- entry: suffixes_of_floats
-- input { } output { 1.5f16 1.5f32 1.5f64 2f32 1e10f64 }
entry suffixes_of_floats : (f16, f32, f64, f32, f64) = (1.5f16, 1.5f32, 1.5f64, 2f32, 1e10f64)

-- 65519 is nearest to 65504, the greatest f16.
-- ==
-- entry: greatest_half
-- input { } output { 65504f16 -65504f16 }
entry greatest_half : (f16, f16) = (65519, -65519)

-- The code points a = 97, newline = 10, quote = 39, backslash = 92.
-- ==
-- entry: characters
-- input { } output { [97u8, 10u8, 39u8, 92u8, 32u8, 48u8] }
entry characters : []u8 = ['a', '\n', '\'', '\\', ' ', '0']

-- UTF-8: ø is C3 B8.
-- ==
-- entry: strings
-- input { } output { [104u8, 105u8] [34u8, 9u8] empty([0]u8) [195u8, 184u8] }
entry strings : ([]u8, []u8, []u8, []u8) = ("hi", "\"\t", "", "ø")

-- An integer literal is of any type of numbers that is wanted; alone it is an i32, and with a point an f64.
-- ==
-- entry: wanted
-- input { 1u8 1.5f32 } output { 3u8 3.5f32 2 2.5 }
entry wanted (x: u8) (y: f32) : (u8, f32, i32, f64) = let a = 2 let b = 2.5 in (x + 2, y + 2, a, b)
