-- A character that begins no token.
-- ==
-- error: Unknown character `¤` \(U\+00A4\)
entry main (x: i32) : i32 = x ¤ 1
