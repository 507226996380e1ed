-- A literal with the suffix of an integer type wraps, and so does its negation (Futhark's lexer; values of 0.25.32, which agree).
-- ==
-- entry: decimal
-- input { } output { -1i8 255u8 4294967295u32 44u8 4464i16 -128i8 -128i8 0i32 18446744073709551615u64 }
entry decimal = (255i8, -1u8, -1u32, 300u8, 70000i16, 128i8, -128i8, 4294967296i32, -1u64)

-- ==
-- entry: others
-- input { } output { -1i8 255u8 -1i16 -128i8 }
entry others = (0x1ffi8, 0b111111111u8, 0xffff_ffffi16, -(128i8))

-- Patterns, sizes, ranges and indices are no other numbers.
-- ==
-- entry: parts
-- input { 255u8 } output { 1 2i64 [-3i8, -2i8, -1i8] 8 }
-- input { 44u8 } output { 2 2i64 [-3i8, -2i8, -1i8] 8 }
entry parts (x: u8) =
  ( match x case -1u8 -> 1i32 case 300u8 -> 2 case _ -> 3
  , length (replicate 18446744073709551618i64 0i32)
  , 253i8..<256i8
  , ([7i32, 8])[4294967297i32]
  )
