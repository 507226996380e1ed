-- After 0x there are digits.
-- ==
-- error: Malformed number: digits missing, or too many
entry main (x: i32) : i32 = x + 0x
