-- Division by zero, the lowest integer by -1, and negative exponents, of each type of integers. The lowest one divided by -1 is itself, as its negation is;
-- nothing is left (two's complement; 0.25.32 says the same). Numbers without a sign have no negative exponents; zero to the power of zero is 1.

-- ==
-- entry: i8_divided
-- input { 7i8 2i8 } output { 3i8 1i8 3i8 1i8 }
-- input { 127i8 0i8 } error: [Dd]ivision by zero
-- input { -128i8 0i8 } error: [Dd]ivision by zero
-- input { -128i8 -1i8 } output { -128i8 0i8 -128i8 0i8 }
-- input { -7i8 2i8 } output { -4i8 1i8 -3i8 -1i8 }
entry i8_divided (x: i8) (y: i8) : (i8, i8, i8, i8) = (x / y, x % y, x // y, x %% y)

-- ==
-- entry: i8_power
-- input { 0i8 0i8 } output { 1i8 }
-- input { 127i8 2i8 } output { 1i8 }
-- input { 2i8 -1i8 } error: [Nn]egative exponent
-- input { 1i8 -128i8 } error: [Nn]egative exponent
-- input { -1i8 127i8 } output { -1i8 }
entry i8_power (x: i8) (y: i8) : i8 = x ** y

-- ==
-- entry: i16_divided
-- input { 7i16 2i16 } output { 3i16 1i16 3i16 1i16 }
-- input { 32767i16 0i16 } error: [Dd]ivision by zero
-- input { -32768i16 0i16 } error: [Dd]ivision by zero
-- input { -32768i16 -1i16 } output { -32768i16 0i16 -32768i16 0i16 }
-- input { -7i16 2i16 } output { -4i16 1i16 -3i16 -1i16 }
entry i16_divided (x: i16) (y: i16) : (i16, i16, i16, i16) = (x / y, x % y, x // y, x %% y)

-- ==
-- entry: i16_power
-- input { 0i16 0i16 } output { 1i16 }
-- input { 32767i16 2i16 } output { 1i16 }
-- input { 2i16 -1i16 } error: [Nn]egative exponent
-- input { 1i16 -32768i16 } error: [Nn]egative exponent
-- input { -1i16 32767i16 } output { -1i16 }
entry i16_power (x: i16) (y: i16) : i16 = x ** y

-- ==
-- entry: i32_divided
-- input { 7i32 2i32 } output { 3i32 1i32 3i32 1i32 }
-- input { 2147483647i32 0i32 } error: [Dd]ivision by zero
-- input { -2147483648i32 0i32 } error: [Dd]ivision by zero
-- input { -2147483648i32 -1i32 } output { -2147483648i32 0i32 -2147483648i32 0i32 }
-- input { -7i32 2i32 } output { -4i32 1i32 -3i32 -1i32 }
entry i32_divided (x: i32) (y: i32) : (i32, i32, i32, i32) = (x / y, x % y, x // y, x %% y)

-- ==
-- entry: i32_power
-- input { 0i32 0i32 } output { 1i32 }
-- input { 2147483647i32 2i32 } output { 1i32 }
-- input { 2i32 -1i32 } error: [Nn]egative exponent
-- input { 1i32 -2147483648i32 } error: [Nn]egative exponent
-- input { -1i32 2147483647i32 } output { -1i32 }
entry i32_power (x: i32) (y: i32) : i32 = x ** y

-- ==
-- entry: i64_divided
-- input { 7i64 2i64 } output { 3i64 1i64 3i64 1i64 }
-- input { 9223372036854775807i64 0i64 } error: [Dd]ivision by zero
-- input { -9223372036854775808i64 0i64 } error: [Dd]ivision by zero
-- input { -9223372036854775808i64 -1i64 } output { -9223372036854775808i64 0i64 -9223372036854775808i64 0i64 }
-- input { -7i64 2i64 } output { -4i64 1i64 -3i64 -1i64 }
entry i64_divided (x: i64) (y: i64) : (i64, i64, i64, i64) = (x / y, x % y, x // y, x %% y)

-- ==
-- entry: i64_power
-- input { 0i64 0i64 } output { 1i64 }
-- input { 9223372036854775807i64 2i64 } output { 1i64 }
-- input { 2i64 -1i64 } error: [Nn]egative exponent
-- input { 1i64 -9223372036854775808i64 } error: [Nn]egative exponent
-- input { -1i64 9223372036854775807i64 } output { -1i64 }
entry i64_power (x: i64) (y: i64) : i64 = x ** y

-- ==
-- entry: u8_divided
-- input { 7u8 2u8 } output { 3u8 1u8 3u8 1u8 }
-- input { 255u8 0u8 } error: [Dd]ivision by zero
-- input { 0u8 0u8 } error: [Dd]ivision by zero
-- input { 255u8 255u8 } output { 1u8 0u8 1u8 0u8 }
entry u8_divided (x: u8) (y: u8) : (u8, u8, u8, u8) = (x / y, x % y, x // y, x %% y)

-- ==
-- entry: u8_power
-- input { 0u8 0u8 } output { 1u8 }
-- input { 255u8 2u8 } output { 1u8 }
-- input { 1u8 255u8 } output { 1u8 }
entry u8_power (x: u8) (y: u8) : u8 = x ** y

-- ==
-- entry: u16_divided
-- input { 7u16 2u16 } output { 3u16 1u16 3u16 1u16 }
-- input { 65535u16 0u16 } error: [Dd]ivision by zero
-- input { 0u16 0u16 } error: [Dd]ivision by zero
-- input { 65535u16 65535u16 } output { 1u16 0u16 1u16 0u16 }
entry u16_divided (x: u16) (y: u16) : (u16, u16, u16, u16) = (x / y, x % y, x // y, x %% y)

-- ==
-- entry: u16_power
-- input { 0u16 0u16 } output { 1u16 }
-- input { 65535u16 2u16 } output { 1u16 }
-- input { 1u16 65535u16 } output { 1u16 }
entry u16_power (x: u16) (y: u16) : u16 = x ** y

-- ==
-- entry: u32_divided
-- input { 7u32 2u32 } output { 3u32 1u32 3u32 1u32 }
-- input { 4294967295u32 0u32 } error: [Dd]ivision by zero
-- input { 0u32 0u32 } error: [Dd]ivision by zero
-- input { 4294967295u32 4294967295u32 } output { 1u32 0u32 1u32 0u32 }
entry u32_divided (x: u32) (y: u32) : (u32, u32, u32, u32) = (x / y, x % y, x // y, x %% y)

-- ==
-- entry: u32_power
-- input { 0u32 0u32 } output { 1u32 }
-- input { 4294967295u32 2u32 } output { 1u32 }
-- input { 1u32 4294967295u32 } output { 1u32 }
entry u32_power (x: u32) (y: u32) : u32 = x ** y

-- ==
-- entry: u64_divided
-- input { 7u64 2u64 } output { 3u64 1u64 3u64 1u64 }
-- input { 18446744073709551615u64 0u64 } error: [Dd]ivision by zero
-- input { 0u64 0u64 } error: [Dd]ivision by zero
-- input { 18446744073709551615u64 18446744073709551615u64 } output { 1u64 0u64 1u64 0u64 }
entry u64_divided (x: u64) (y: u64) : (u64, u64, u64, u64) = (x / y, x % y, x // y, x %% y)

-- ==
-- entry: u64_power
-- input { 0u64 0u64 } output { 1u64 }
-- input { 18446744073709551615u64 2u64 } output { 1u64 }
-- input { 1u64 18446744073709551615u64 } output { 1u64 }
entry u64_power (x: u64) (y: u64) : u64 = x ** y
