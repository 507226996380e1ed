-- 2^63 is no i64.
-- ==
-- error: This number does not fit in i64
entry main (x: i64) : i64 = x + 9223372036854775808
