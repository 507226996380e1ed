-- Ranges that go nowhere. In the language reference, "a..b...c": an error if it is empty by its direction, if the step is 0, or if it goes away from its end.

-- ==
-- entry: up
-- input { 0i64 3i64 } output { [0i64, 1i64, 2i64] }
-- input { 3i64 3i64 } output { empty([0]i64) }
-- input { 4i64 3i64 } error: is invalid
entry up (a: i64) (b: i64) : []i64 = a..<b

-- ==
-- entry: down
-- input { 3i64 0i64 } output { [3i64, 2i64, 1i64] }
-- input { 3i64 3i64 } output { empty([0]i64) }
-- input { 2i64 3i64 } error: is invalid
entry down (a: i64) (b: i64) : []i64 = a..a - 1..>b

-- ==
-- entry: stepped
-- input { 0i64 2i64 5i64 } output { [0i64, 2i64, 4i64] }
-- input { 5i64 3i64 0i64 } output { [5i64, 3i64, 1i64] }
-- input { 0i64 0i64 5i64 } error: is invalid
-- input { 0i64 -1i64 5i64 } error: is invalid
-- input { 5i64 6i64 0i64 } error: is invalid
entry stepped (a: i64) (b: i64) (c: i64) : []i64 = a..b...c

-- At the ends of a type: the length of 125...127 is 3, though 127 + 1 is no i8.
-- ==
-- entry: bytes
-- input { 125i8 127i8 } output { [125i8, 126i8, 127i8] }
-- input { -128i8 -127i8 } output { [-128i8, -127i8] }
-- input { 127i8 127i8 } output { [127i8] }
entry bytes (a: i8) (b: i8) : []i8 = a...b

-- ==
-- entry: longs
-- input { 9223372036854775805i64 9223372036854775807i64 } output { [9223372036854775805i64, 9223372036854775806i64, 9223372036854775807i64] }
-- input { -9223372036854775808i64 -9223372036854775808i64 } output { [-9223372036854775808i64] }
entry longs (a: i64) (b: i64) : []i64 = a...b

-- ==
-- entry: in_map
-- input { [1i64, 2i64] } output { [1i64, 3i64] }
-- input { [1i64, -1i64] } error: is invalid
-- input { empty([0]i64) } output { empty([0]i64) }
entry in_map (ns: []i64) : []i64 = map (\n -> i64.sum (1...n)) ns
