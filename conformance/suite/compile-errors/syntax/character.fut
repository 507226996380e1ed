-- A character that begins no token.
-- ==
-- error: Unknown character `\\u\{a4\}`
entry main (x: i32) : i32 = x ¤ 1
